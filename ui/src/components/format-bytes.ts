const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** A number of bytes in the largest unit that fits: "0 B", "1.5 GiB". */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  const value = bytes / 1024 ** power
  return `${power > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`
}
