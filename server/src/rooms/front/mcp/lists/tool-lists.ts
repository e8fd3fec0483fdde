import type { Caller } from '#platform/http'
import type { OfferedTool } from '#platform/mcp'
import type { Tool } from '#platform/tools'
import type { Narrowing } from '../rules/narrowing.ts'

/** The tools that a caller is offered. */
export interface ToolList {
  readonly byName: ReadonlyMap<string, Tool>
  readonly names: ReadonlySet<string>
  /** As the protocol lists them: the same value each time. */
  describe(): readonly OfferedTool[]
}

/**
 * Keeps the lists of callers for as long as their rights stay as they are: engine of this room. To ask for the places of all
 * permissions costs more than the rest of a message.
 */
export interface ToolLists {
  of(caller: Caller, narrowing: Narrowing): ToolList
}

/** A list takes up to 30 KB. */
const MOST_KEPT = 500

/** What a list is made of: of rights and narrowing alone. */
export interface Listing {
  offer(caller: Caller, narrowing: Narrowing): readonly Tool[]
  describe(tool: Tool, caller: Caller): OfferedTool
}

export function createToolLists({ offer, describe }: Listing): ToolLists {
  // By the rights, which a change replaces: a list cannot outlive them.
  let kept = { all: new WeakMap<object, ToolList>(), reads: new WeakMap<object, ToolList>(), count: 0 }

  const make = (caller: Caller, narrowing: Narrowing): ToolList => {
    const offered = offer(caller, narrowing)
    const byName = new Map(offered.map((tool) => [tool.name, tool]))
    let described: readonly OfferedTool[] | undefined
    return {
      byName,
      names: new Set(byName.keys()),
      describe: () => (described ??= offered.map((tool) => describe(tool, caller))),
    }
  }

  return {
    of(caller, narrowing) {
      const { rights } = caller
      // A client may name its families in more ways than can be kept.
      if (rights === undefined || narrowing.families !== undefined) return make(caller, narrowing)
      const lists = narrowing.isReadOnly ? kept.reads : kept.all
      const known = lists.get(rights)
      if (known) return known
      if (kept.count >= MOST_KEPT) kept = { all: new WeakMap(), reads: new WeakMap(), count: 0 }
      const made = make(caller, narrowing)
      const keeping = narrowing.isReadOnly ? kept.reads : kept.all
      keeping.set(rights, made)
      kept.count += 1
      return made
    },
  }
}
