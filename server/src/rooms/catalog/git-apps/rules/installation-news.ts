/** What a delivery says of an installation. */
export interface InstallationNews {
  readonly installationId: string
  readonly account: string | null
  /** What holds at once, without the provider being asked; null: nothing does. */
  readonly restricts: 'deleted' | 'suspended' | 'repositories' | null
  /** The provider's ids of repositories that left. */
  readonly removed: readonly string[]
  /** Whether an installation that nobody knew is one to know. */
  readonly mayBeNew: boolean
}

/**
 * Reads a verified delivery about installations; undefined: it is none. Deliveries come twice and out of order: what
 * restricts holds at once, everything else only says that the provider is to be asked.
 */
export function readInstallationNews(
  eventType: string,
  action: string | null,
  payload: unknown,
): InstallationNews | undefined {
  if (eventType !== 'installation' && eventType !== 'installation_repositories') return undefined
  const installation = fieldOf(payload, 'installation')
  const installationId = readId(fieldOf(installation, 'id'))
  if (installationId === undefined) return undefined
  const login = fieldOf(fieldOf(installation, 'account'), 'login')
  const news = {
    installationId,
    account: typeof login === 'string' ? login.slice(0, 200) : null,
    removed: [],
    mayBeNew: eventType === 'installation' && action === 'created',
  }
  if (eventType === 'installation') {
    if (action === 'deleted') return { ...news, restricts: 'deleted' }
    return { ...news, restricts: action === 'suspend' ? 'suspended' : null }
  }
  const removed = readIds(fieldOf(payload, 'repositories_removed'))
  return { ...news, removed, restricts: removed.length > 0 ? 'repositories' : null }
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value).find(([key]) => key === name)?.[1]
}

function readIds(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.flatMap((item) => readId(fieldOf(item, 'id')) ?? []) : []
}

/** Ids are whole numbers, or their digits where a reader kept those. */
function readId(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return String(value)
  return typeof value === 'string' && /^[1-9][0-9]{0,19}$/.test(value) ? value : undefined
}
