import { triggerRoutes } from '@signalbox/contracts/triggers/routes'
import type { Client } from '../client/client.ts'
import { CommandFailed } from '../errors.ts'

/** The id of a trigger that is named by it, or by `<team path>/<name>`. */
export async function resolveTrigger(client: Client, given: string): Promise<string> {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)) return given
  const at = given.lastIndexOf('/')
  if (at < 1) throw new CommandFailed('usage', `"${given}" is neither an id nor <team path>/<name>.`)
  const [team, name] = [given.slice(0, at), given.slice(at + 1)]
  const known = await client.list(triggerRoutes.listTriggers, { query: { team_path: team } })
  const found = known.find((each) => each.name === name && each.team_path === team)
  if (!found) throw new CommandFailed('notFound', `There is no trigger ${given} that you may see.`)
  return found.id
}
