import { triggerRoutes } from '@signalbox/contracts/triggers/routes'
import type { Client } from '../client/client.ts'
import { splitName } from './parse-arguments.ts'
import { idOf } from './resource.ts'

export const triggers = {
  noun: 'trigger',
  named: 'id, or <team path>/<name>',
  lookUp: findTriggers,
  get: triggerRoutes.getTrigger,
  delete: triggerRoutes.deleteTrigger,
}

/** The id of a trigger that is named by it, or by `<team path>/<name>`. */
export function resolveTrigger(client: Client, given: string): Promise<string> {
  return idOf(client, triggers, given)
}

async function findTriggers(client: Client, given: string) {
  const [team, name] = splitName(given, 'an id or <team path>/<name>')
  const known = await client.list(triggerRoutes.listTriggers, { query: { team_path: team } })
  return known.filter((each) => each.name === name && each.team_path === team)
}
