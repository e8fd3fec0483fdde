import { layGround } from '../../server/src/ground.ts'
import { openHouse } from '../../server/src/house.ts'
import { readConfig } from '../../server/src/platform/config/index.ts'
import { createLog } from '../../server/src/platform/log/index.ts'
import type { Generator } from './generator.ts'
import { writeOutput } from './write.ts'

const OUTPUT = 'docs/api/openapi.json'
const TOOLS = 'docs/api/mcp-tools.json'

/** The OpenAPI document and the tools of agents, as the whole house answers them: what it does not open is not in them. */
export const openApi: Generator = {
  name: 'OpenAPI document and tools',
  outputs: [OUTPUT, TOOLS],
  async run(into, { migratedDatabase, scratch }) {
    const env = { DATABASE_URL: await migratedDatabase(), SECRET_KEY: '0'.repeat(64), DATA_DIR: scratch, ROLES: 'api' }
    const config = readConfig({ env, cwd: scratch, isTerminal: false })
    const ground = await layGround(config, createLog({ level: 'silent', pretty: false }))
    try {
      const house = await openHouse(ground, { api: undefined, runners: undefined })
      await writeOutput(into, OUTPUT, `${JSON.stringify(house.http.openApi(), null, 2)}\n`)
      await writeOutput(into, TOOLS, `${JSON.stringify(house.describeTools(), null, 2)}\n`)
      await house.stop()
    } finally {
      await ground.close()
    }
  },
}
