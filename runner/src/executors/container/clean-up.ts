import { systemTime } from '../../time/index.ts'
import { readEngineAddress } from './engine/address.ts'
import { Engine } from './engine/engine.ts'
import { labelNames } from './specs.ts'
import { sweepEngine } from './sweep.ts'

// What is started when a runner has died: ends the containers of that life of it and removes their networks, so that
// nothing runs on under a lease that nobody renews. What it cannot reach is left to the runner's next start.

const answerMs = 10_000
const [address = '', start = ''] = process.argv.slice(2)

const engine = await Engine.reach(readEngineAddress(address), systemTime, answerMs)
await sweepEngine(engine, `${labelNames.start}=${start}`, () => false)
