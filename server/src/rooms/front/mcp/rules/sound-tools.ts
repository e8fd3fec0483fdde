import type { Tool } from '#platform/tools'

/** Most characters of a description: each is paid for by every agent at every start. */
const LONGEST = 300

/** The route of this name; undefined where the house has none. */
export type FindRoute = (name: string) => { readonly method: string; readonly path: string } | undefined

/** Throws a sentence for the programmer where a tool cannot work as it is declared. */
export function requireSoundTools(tools: readonly Tool[], findRoute: FindRoute): void {
  const names = new Set<string>()
  for (const tool of tools) {
    if (names.has(tool.name)) throw new Error(`two tools are called ${tool.name}`)
    names.add(tool.name)
    if (!/^[a-z][a-z_]{2,29}$/.test(tool.name)) throw new Error(`${tool.name} is no name of a tool`)
    if (tool.description.length > LONGEST)
      throw new Error(`the description of ${tool.name} has more than ${LONGEST} characters`)
    for (const [name, { method, path }] of Object.entries({ ...tool.routes, ...tool.optional })) {
      const route = findRoute(name)
      if (route?.method === method && route.path === path) continue
      throw new Error(`the tool ${tool.name} uses the route ${name}, which the house has not`)
    }
  }
}
