import { sql } from 'kysely'
import { openDatabase } from '#platform/database'
import { createFacts } from '#platform/facts'
import { createFailPoints } from '#platform/fail-points'
import { createIds } from '#platform/ids'
import { jobs, startJobWorker } from '#platform/jobs'
import { createLog } from '#platform/log'
import { systemClock } from '#platform/time'

// A process of its own for facts.crash.test.ts: works reactions until it is killed or has nothing left to do.
const [url = '', failPoint] = process.argv.slice(2)
const log = createLog({ level: 'silent', pretty: false })
const database = openDatabase({ url, poolSize: 4, log, clock: systemClock })
const house = createFacts({
  ids: createIds(Date.now),
  clock: systemClock,
  jobs,
  failPoints: createFailPoints(failPoint),
  database,
})
const factJobs = house.connect([
  {
    fact: 'crash.told',
    name: 'crash.note',
    // Idempotent by the fact's id, as every reaction must be.
    react: async (fact) => {
      await sql`insert into noted (fact_id, calls) values (${fact.id}, 1)
        on conflict (fact_id) do update set calls = noted.calls + 1`.execute(database.kysely)
    },
  },
])
await startJobWorker(database, factJobs, log, systemClock)
if (failPoint) await database.transaction((tx) => house.facts.tell(tx, 'crash.told', 1, {}))
