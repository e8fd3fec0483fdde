import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { birthOf } from '#platform/processes'

/** Tells commands on this machine where this process listens, and which process it is. */
export function writeAddressFile(dataDir: string, addresses: object): { remove(): void } {
  const path = join(dataDir, 'address.json')
  writeFileSync(path, JSON.stringify({ ...addresses, pid: process.pid, birth: birthOf(process.pid) }))
  return { remove: () => rmSync(path, { force: true }) }
}
