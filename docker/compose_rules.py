"""The rules that docker-compose.yml keeps: nothing is named that is not defined, nothing runs with
more rights than it needs, and every start waits for what it rests on. Run by scripts/compose-check.
"""

import os
import stat
import sys

import yaml

FAULTS = []
# What a service may say here; a misspelt key would be passed over in silence otherwise.
KEYS = set(
    "build image init user entrypoint command environment secrets networks ports volumes tmpfs"
    " depends_on healthcheck restart read_only security_opt cap_drop logging shm_size"
    " stop_signal stop_grace_period".split()
)
CONDITIONS = {"service_started", "service_healthy", "service_completed_successfully"}


def complain(place, what):
    FAULTS.append(f"docker-compose.yml: {place}: {what}")


def check_rights(name, service):
    if service.get("read_only") is not True:
        complain(name, "its root folder is writable; say read_only: true")
    if "no-new-privileges:true" not in service.get("security_opt", []):
        complain(name, "may gain privileges; say security_opt: [no-new-privileges:true]")
    if service.get("restart") not in ("unless-stopped", "always", "on-failure:10"):
        complain(name, "is not started again when it ends; say restart: unless-stopped")
    for port in service.get("ports", []):
        if not str(port).startswith("127.0.0.1:"):
            complain(name, f"port {port} is open to every network; write 127.0.0.1:…")


def check_image(name, service):
    image = service.get("image", "")
    if "build" not in service and ":" not in image:
        complain(name, f"image {image!r} names no version")
    if image.endswith(":latest") and "build" not in service:
        complain(name, "image :latest is another one tomorrow; name a version")


def check_health(name, service, services):
    # An image of ours has a check of its own.
    if "healthcheck" not in service and "build" not in service:
        complain(name, "has no health check")
    for other, how in service.get("depends_on", {}).items():
        place = f"{name}, depends_on {other}"
        if other not in services:
            complain(place, "there is no such service")
            continue
        condition = how.get("condition")
        if condition not in CONDITIONS:
            complain(place, f"{condition!r} is no condition")
        off = services[other].get("healthcheck", {}).get("disable")
        if condition == "service_healthy" and off:
            complain(place, "waits for a health check that is turned off")


def check_names(name, service, file):
    for secret in service.get("secrets", []):
        if secret not in file.get("secrets", {}):
            complain(name, f"secret {secret} is not defined")
    for network in service.get("networks", []):
        if network not in file.get("networks", {}):
            complain(name, f"network {network} is not defined")
    if not service.get("networks"):
        complain(name, "names no network and would be in the default one")
    for volume in service.get("volumes", []):
        source = volume.split(":")[0]
        if not source.startswith((".", "/")) and source not in file.get("volumes", {}):
            complain(name, f"volume {source} is not defined")
    for variable, value in service.get("environment", {}).items():
        if variable.endswith("_FILE"):
            secret = str(value).removeprefix("/run/secrets/")
            if secret not in service.get("secrets", []):
                complain(name, f"{variable} names {value}, which is no secret of this service")
        elif any(word in variable for word in ("PASSWORD", "SECRET", "DATABASE_URL")):
            complain(name, f"{variable} holds a secret; give it from a file")


def check_secrets(file):
    for name, secret in file.get("secrets", {}).items():
        path = secret.get("file", "")
        if not path.startswith("./secrets/"):
            complain(f"secret {name}", f"lies in {path!r}, outside ./secrets")
        elif os.path.exists(path) and not os.stat(path).st_mode & stat.S_IROTH:
            complain(f"secret {name}", f"{path} cannot be read by the container's own user; chmod 444")


def main():
    with open("docker-compose.yml", encoding="utf-8") as text:
        file = yaml.safe_load(text)
    services = file.get("services", {})
    if not services:
        complain("services", "there are none")
    for name, service in services.items():
        for key in service.keys() - KEYS:
            complain(name, f"{key} is not a key that is used here")
        check_rights(name, service)
        check_image(name, service)
        check_health(name, service, services)
        check_names(name, service, file)
    check_secrets(file)
    for fault in FAULTS:
        print(fault, file=sys.stderr)
    if not FAULTS:
        print(f"docker-compose.yml: {len(services)} services, nothing to complain about")
    sys.exit(1 if FAULTS else 0)


main()
