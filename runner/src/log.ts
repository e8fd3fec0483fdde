/** The runner's own diary; fields never hold secrets. */
export type Log = {
  info(message: string, fields?: Readonly<Record<string, string | number | bigint | boolean>>): void
  warn(message: string, fields?: Readonly<Record<string, string | number | bigint | boolean>>): void
}

/** One line of JSON for each record, to `write`. */
export const createLog = (write: (line: string) => void): Log => {
  const record =
    (level: string): Log['info'] =>
    (message, fields) => {
      const printable = Object.entries(fields ?? {}).map(([key, value]) => [
        key,
        typeof value === 'bigint' ? String(value) : value,
      ])
      const entry = { time: new Date().toISOString(), level, message, ...Object.fromEntries(printable) }
      write(`${JSON.stringify(entry)}\n`)
    }
  return { info: record('info'), warn: record('warn') }
}
