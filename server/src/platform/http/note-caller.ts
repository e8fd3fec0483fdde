import { type Caller, type HeldPermission, USED } from './caller.ts'

export interface NotedCaller {
  readonly caller: Caller
  /** What was asked for at one place, and held: whoever holds all of it may do the same. */
  held(): readonly HeldPermission[]
}

/**
 * The caller, and a note of each permission that a piece of work asks for at one place, and of each environment that it
 * uses. Where else the caller holds a permission is not noted: that is no matter of the work.
 */
export function noteCaller(caller: Caller): NotedCaller {
  const noted = new Map<string, HeldPermission>()
  const note = (what: string, place: string): void => void noted.set(`${what} ${place}`, [what, place])
  const { kind, id, name, token, sessionId } = caller
  return {
    held: () => [...noted.values()],
    caller: {
      kind,
      id,
      name,
      ...(token === undefined ? {} : { token }),
      ...(sessionId === undefined ? {} : { sessionId }),
      can(permission, teamPath) {
        const isHeld = caller.can(permission, teamPath)
        if (isHeld) note(permission, teamPath)
        return isHeld
      },
      prefixes: (permission) => caller.prefixes(permission),
      mayUse(scope) {
        const isUsable = caller.mayUse(scope)
        if (isUsable) note(USED, scope)
        return isUsable
      },
    },
  }
}
