import type { Permission } from '@signalbox/contracts/access'
import type { Owner } from '@signalbox/contracts/http'
import type { MatchContext } from '#rooms/causes/triggers'
import type { AccessSnapshot } from '#rooms/foundation/access'
import type { Source } from './source.ts'

/**
 * A source is for the triggers of people who may see it, or for everybody's when it is shared. The source speaks for
 * its own team and those below; when it is shared, also for teams whose runs its owner may start. People who may change
 * the source may override it.
 */
export function matchContextOf(source: Source, snapshot: AccessSnapshot): MatchContext {
  const { teamPath } = source
  const shared = source.visibility === 'shared'
  const may = (who: Owner, permission: Permission, path: string): boolean =>
    snapshot.subject(who.kind, who.id)?.can(permission, path) === true
  return {
    sourceId: source.id,
    acts: ({ kind, id }) => snapshot.subject(kind, id) !== undefined,
    visibleTo: (owner) => shared || may(owner, 'webhook_source.read', teamPath),
    feeds: (path) =>
      path === teamPath || path.startsWith(`${teamPath}/`) || (shared && may(source.owner, 'run.start', path)),
    overriddenBy: (owner) => may(owner, 'webhook_source.write', teamPath),
  }
}
