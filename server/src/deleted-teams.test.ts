import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { until } from '#platform/testing'
import { aPipeline } from './rooms/catalog/pipelines/testing.ts'
import { aMember } from './rooms/foundation/access/testing.ts'
import { anEnvironment, aTeam } from './rooms/foundation/teams/testing.ts'
import { openTestHouse } from './testing/test-house.ts'

// A team is deleted between the look at it and the write that names it: no matter of ours, and nothing is stored.

const { database, db, ask } = await openTestHouse()
await anEnvironment(db, 'acme/test')
await aPipeline(db, 'acme/build')
const root = await aMember(db, 'root', 'administrator', '/')

const STARTS = { pipeline: 'acme/build', scope: 'acme/test' }
const NO_CAUSE = { repositories: ['a/b'], events: ['push'] }
const DOCUMENT = 'name: build\nsteps: [{ name: a, tasks: [{ name: t, run: "true" }] }]\n'

const writes: Readonly<Record<string, (team: string) => readonly [url: string, body: object]>> = {
  'an external trigger': (team) => ['/v1/external-triggers', { team_path: team, name: 'x', ...STARTS }],
  'an external trigger that tells it': (team) => [
    '/v1/external-triggers',
    { team_path: 'acme', name: 'x', run_team_path: team, ...STARTS },
  ],
  'a schedule': (team) => [
    '/v1/schedules',
    { path: team, name: 'x', schedule_kind: 'recurring', cron_expression: '0 0 1 1 *', ...STARTS },
  ],
  'a secret': (team) => ['/v1/secrets', { team_path: team, name: 'x', value: 'v' }],
  'an enrolment': (team) => ['/v1/runners/enrollments', { team_path: team, scopes: [`${team}/**`] }],
  'a service account': (team) => ['/v1/service-accounts', { team_path: team, name: 'x' }],
  'a pipeline': (team) => ['/v1/pipelines', { team_path: team, document: DOCUMENT }],
  'a trigger': (team) => ['/v1/triggers', { team_path: team, name: 'x', ...NO_CAUSE, ...STARTS }],
  'a profile': (team) => ['/v1/profiles', { team_path: team, name: 'x', executor: 'host' }],
  'a policy': (team) => [
    '/v1/knowledge',
    { team_path: team, name: 'x', kind: 'policy', rule: 'false', message: 'No.' },
  ],
  'a grant': (team) => ['/v1/grants', { team_path: team, subject: `user:${root.id}`, role: 'viewer' }],
}

describe('a team that is deleted while somebody makes', () => {
  for (const [what, write] of Object.entries(writes)) {
    test(`${what}: 400 that names the field`, async () => {
      const team = `gone-${Object.keys(writes).indexOf(what)}`
      await aTeam(db, team)
      const [url, body] = write(team)
      const waiting = await database.transaction(async (tx) => {
        await sql`delete from teams where path = ${team}`.execute(tx)
        const asked = ask(root.token, 'POST', url, body)
        await until(
          'the write to wait for the team',
          () =>
            sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
              db,
            ),
          ({ rows }) => rows.length > 0,
        )
        return { asked }
      })
      const { status, text, body: problem } = await waiting.asked
      assert.equal(status, 400, text)
      const [fault] = Array.isArray(problem['errors']) ? problem['errors'] : []
      assert.match(String(fault?.field), /path$/, text)
    })
  }
})
