/**
 * What goes wrong with a call.
 *
 * - `refuse`: another status, such as 401, 404, 502; nothing happens.
 * - `rate_limit`: 403 or 429 with `retry-after`, or with x-ratelimit-remaining 0 and its reset.
 * - `slow`: the answer comes later.
 * - `lost`: the call takes effect, and the connection ends without an answer. `reset`: it ends before any effect.
 * - `cut`: the body ends in its middle.
 * - `endless`: each page names a next one.
 * - `huge`: a body of so many bytes, 1 GiB by default.
 * - `redirect`: 302 to that address.
 * - `malformed`: a body that is no JSON.
 */
export type Fault =
  | {
      readonly kind: 'refuse'
      readonly status: number
      readonly body?: unknown
      readonly headers?: Record<string, string>
    }
  | {
      readonly kind: 'rate_limit'
      readonly status: 403 | 429
      readonly retryAfterS?: number
      readonly resetInS?: number
    }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'lost' | 'reset' | 'cut' | 'endless' | 'malformed' }
  | { readonly kind: 'huge'; readonly bytes?: number }
  | { readonly kind: 'redirect'; readonly to: string }

export interface SetFault {
  /** How many calls it has spoilt. */
  readonly hits: number
  end(): void
}

export interface Faults {
  /**
   * Spoils calls whose line fits: `POST /repos/{any}/statuses/{any}` is written with asterisks. `*` is a part of the path and `**` any text;
   * the method may be left out, and so may the start of the API (/api/v3). `times`: how many, all by default.
   */
  set(pattern: string, fault: Fault, times?: number): SetFault
  /** Takes all away. */
  clear(): void
  /** The fault of this call, which counts it. */
  take(method: string, path: string): Fault | undefined
}

/** `apiPath` is left out of patterns: /api/v3. */
export function createFaults(apiPath: string): Faults {
  let set: { method: string | undefined; path: RegExp; fault: Fault; left: number; hits: number }[] = []
  return {
    set(pattern, fault, times = Number.POSITIVE_INFINITY) {
      const [, method, glob = ''] = /^(?:([A-Z]+) )?(.*)$/.exec(pattern) ?? []
      const one = { method, path: readGlob(glob), fault, left: times, hits: 0 }
      set.push(one)
      return {
        get hits() {
          return one.hits
        },
        end: () => void (set = set.filter((other) => other !== one)),
      }
    },
    clear: () => void (set = []),
    take(method, path) {
      const short = path.startsWith(`${apiPath}/`) ? path.slice(apiPath.length) : path
      const one = set.find(
        (other) =>
          other.left > 0 && (other.method ?? method) === method && (other.path.test(path) || other.path.test(short)),
      )
      if (!one) return undefined
      one.left -= 1
      one.hits += 1
      return one.fault
    },
  }
}

function readGlob(glob: string): RegExp {
  const source = glob
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('**', '\u0000')
    .replaceAll('*', '[^/]*')
    .replaceAll('\u0000', '.*')
  return new RegExp(`^${source}$`)
}
