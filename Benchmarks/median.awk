# Sorts the values and returns their median with the smallest and the largest one, each in the format: "1.02 [0.98–1.11]".
function median(values, count, format,   i, j, value) {
  for (i = 1; i <= count; i++)
    for (j = i + 1; j <= count; j++)
      if (values[j] < values[i]) { value = values[i]; values[i] = values[j]; values[j] = value }
  value = (values[int((count + 1) / 2)] + values[int(count / 2) + 1]) / 2
  return sprintf(format " [" format "–" format "]", value, values[1], values[count])
}
