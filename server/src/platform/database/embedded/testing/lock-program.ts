import { existsSync } from 'node:fs'
import { systemClock } from '#platform/time'
import { lockDataDir } from '../lock.ts'

// One of several starts at once: waits for the file `go`, tries once, says how that ended, and lives until it is told to end.

const [dataDir = '', go = ''] = process.argv.slice(2)
process.stdout.write('ready\n')
// Without a pause: all of them are to try in the same moment.
while (!existsSync(go));
const held = await lockDataDir(dataDir, systemClock, 0).then(
  () => true,
  () => false,
)
process.stdout.write(held ? 'held\n' : 'refused\n')
process.stdin.resume()
