"""Parses a file of scrapes with Prometheus's own client library and prints how many samples it holds."""

import sys

from prometheus_client.parser import text_fd_to_metric_families

with open(sys.argv[1], encoding="utf-8") as scrapes:
    print(sum(len(family.samples) for family in text_fd_to_metric_families(scrapes)))
