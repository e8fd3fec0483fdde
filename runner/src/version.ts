import { readFileSync } from 'node:fs'

/** The version of this program, as it tells the control plane. */
export function version(): string {
  const text: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return typeof text === 'object' && text !== null && 'version' in text ? String(text.version) : '0'
}
