import { systemTime } from '../../time/index.ts'
import { readEngineAddress } from './engine/address.ts'
import { Engine } from './engine/engine.ts'
import { LABEL_NAMES } from './specs.ts'
import { sweepEngine } from './sweep.ts'

// This program is started when a runner has died. The program ends the containers of that start and removes their
// networks, so that nothing runs on under a lease that nobody renews. The runner's next start removes whatever this
// program cannot reach.

const PATIENCE = { pingMs: 10_000, factsMs: 30_000 }
const [address = '', start = ''] = process.argv.slice(2)

const engine = await Engine.reach(readEngineAddress(address), systemTime, PATIENCE)
await sweepEngine(engine, `${LABEL_NAMES.start}=${start}`, () => false)
