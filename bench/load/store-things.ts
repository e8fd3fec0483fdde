import { deliverPush, makeTrigger, type Team } from '../../e2e/house/team.ts'
import type { HouseUnderTest } from '../house-under-test.ts'
import { copyRows } from './copy-rows.ts'

/** How many things a large house has beside its pipelines and runs. */
const THINGS = { triggers: 5000, schedules: 2000, secrets: 2000, users: 1000, sources: 300, deliveries: 30_000 }

/** Fills the tables of everything that people name, spread over the teams `<above>/team-<n>`. */
export async function storeThings(subject: HouseUnderTest, above: string, teams: readonly Team[]): Promise<void> {
  const { api } = subject.house
  const [team] = teams
  if (!team) throw new Error('There is no team')
  const pipeline = `${team.path}/build`
  const timing = { schedule_kind: 'recurring', cron_expression: '@yearly' }
  await api.send('POST', '/v1/schedules', {
    path: team.path,
    name: 'nightly',
    pipeline,
    scope: team.scope,
    ...timing,
  })
  await makeTrigger(api, team, 'on-push', pipeline)
  await api.send('POST', '/v1/users', { login: 'somebody', name: 'Some Body', password: 'a-long-password-of-somebody' })
  // Before there are other triggers: the trace of a delivery names each.
  await deliverPush(api, team, 'https://git.example.invalid/acme/shop.git', {
    before: '0'.repeat(40),
    after: '1'.repeat(40),
  })
  const spread = { id: 'uuidv7()', team_path: `'${above}/team-' || n % ${teams.length}` }
  await copyRows(subject, 'triggers', THINGS.triggers, { ...spread, name: "'push-' || n" })
  await copyRows(subject, 'schedules', THINGS.schedules, { ...spread, name: "'nightly-' || n" })
  await copyRows(subject, 'secrets', THINGS.secrets, { ...spread, name: "'secret-' || n" })
  await copyRows(subject, 'users', THINGS.users, {
    id: 'uuidv7()',
    login: "'somebody-' || n",
    name: "'Some Body ' || n",
  })
  await copyRows(subject, 'webhook_sources', THINGS.sources, { ...spread, name: "'source-' || n" })
  const sources = await subject.query<{ id: string }>('select id from webhook_sources')
  const any = `(array[${sources.map(({ id }) => `'${id}'`).join(', ')}]::uuid[])[1 + n % ${sources.length}]`
  await copyRows(subject, 'deliveries', THINGS.deliveries, { id: 'uuidv7()', source_id: any, delivery_id: 'null' })
}
