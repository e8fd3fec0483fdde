import type { Answer, Call } from './call.ts'

/** One operation of a provider. `path` is written as in the provider's description: /repos/{owner}/{repo}. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  handle(call: Call): Answer | Promise<Answer>
}

export interface Router {
  /** The route with the decoded parts of the path; undefined: no route has it. */
  find(method: string, path: string): { route: Route; params: Readonly<Record<string, string>> } | undefined
}

/** A part that ends with `+`, such as {path+}, holds slashes. The first route that fits is taken. */
export function createRouter(routes: readonly Route[]): Router {
  const patterns = routes.map((route) => ({ route, pattern: patternOf(route.path) }))
  return {
    find(method, path) {
      for (const { route, pattern } of patterns) {
        if (route.method !== method) continue
        const groups = pattern.exec(path)?.groups
        const params = groups === undefined && !pattern.test(path) ? undefined : decode(groups ?? {})
        if (params) return { route, params }
      }
      return undefined
    },
  }
}

function patternOf(path: string): RegExp {
  const source = path
    .replaceAll('.', String.raw`\.`)
    .replaceAll(/\{(\w+)\+\}/g, '(?<$1>.+)')
    .replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  return new RegExp(`^${source}$`)
}

/** Undefined where a part is no percent-encoded UTF-8. */
function decode(groups: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))
  } catch {
    return undefined
  }
}
