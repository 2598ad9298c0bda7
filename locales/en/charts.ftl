# Charts: what stands under them and what they say to those who do not see them.
chart-values = Values
chart-line-desc = { $name } ({ $axis }): from { $least } to { $most } over { $count ->
    [one] 1 point
   *[other] { $count } points
}.
chart-bars-desc = { $count ->
    [one] One bar:
   *[other] { $count } bars; the longest is
} { $name } with { $value }.
chart-axis-log = { $title } (log)
chart-rows-left-out = { $count ->
    [one] 1 row is left out here.
   *[other] { $count } rows are left out here.
}
chart-lines-left-out = { $shown } lines are drawn; { $count ->
    [one] 1 more stands in the table.
   *[other] { $count } more stand in the table.
}
chart-others = others ({ $count })
chart-bars-trimmed = { $count ->
    [one] 1 empty bucket at the ends is not drawn.
   *[other] { $count } empty buckets at the ends are not drawn.
}
chart-bars-joined = Up to { $n } neighbouring buckets are drawn as one bar; the table has each.
chart-bars-summed = The { $shown } longest bars are drawn; { $count ->
    [one] 1 more is the last bar and stands in the table.
   *[other] { $count } more are summed in the last bar and stand in the table.
}
chart-not-captured = not captured
chart-stacks-spread = { $shown } of { $count } rows are drawn, the first and the last among them; the table has each.
chart-stacks-title = by { $label }: { $measure }
chart-stacks-sum = sum of the parts
chart-stacks-desc = { $count ->
    [one] One bar
   *[other] { $count } bars
 } made of { $parts }.
chart-declared-least = declared { $statistic } ≥ { $value }
chart-declared-most = declared { $statistic } ≤ { $value }
mark-knee = knee
mark-operating-point = most within the budget
chart-sweep = Sweep against the limit { $limit }
chart-sweep-caption = Throughput against latency, one point per load level.
chart-sweep-point = Most throughput within the limit: { $throughput } at load { $load }.
chart-sweep-no-point = No point of the sweep is known to be within the limit.
chart-sweep-knee = Knee at load { $load }.
