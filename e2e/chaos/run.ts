import { randomInt } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { drive } from './drive.ts'
import { summarize } from './summary.ts'

// npm run chaos [-- --minutes 30] [--seed 7]: kills, stops and cuts off parts of the product while it works, and checks
// its promises. Exit code 1: a promise did not hold.

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
  },
})
const [minutes, seed] = [Number(values.minutes), Number(values.seed)]
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('--minutes is a number above 0, --seed a whole number.')
  process.exit(2)
}
console.log(`Seed ${seed}, ${minutes} minutes of faults.`)
const outcome = await drive({ seed, minutes, folder: join(tmpdir(), 'signalbox-chaos') })
console.log(summarize(seed, minutes, outcome))
process.exitCode = outcome.violations.length === 0 ? 0 : 1
