/** What tabs of one browser tell each other: their cookie is the same. Nothing of it is kept anywhere. */
type Told = { readonly signedIn: string } | { readonly signedOut: string }

const NAME = 'signalbox-user'

export interface UserEvents {
  /** Somebody else has signed in. */
  onOther(): void
  /** The user of this tab has signed out. */
  onSignOut(): void
}

/** Tells the other tabs for whom this one was opened, and hears of changes; answers how to stop. */
export function joinTabs(userId: string, { onOther, onSignOut }: UserEvents): () => void {
  const channel = openChannel()
  if (!channel) return () => undefined
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const told = readTold(data)
    if (told && 'signedIn' in told && told.signedIn !== userId) onOther()
    if (told && 'signedOut' in told && told.signedOut === userId) onSignOut()
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of its origin
  channel.postMessage({ signedIn: userId } satisfies Told)
  return () => channel.close()
}

export function tellSignOut(userId: string): void {
  const channel = openChannel()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of its origin
  channel?.postMessage({ signedOut: userId } satisfies Told)
  channel?.close()
}

/** Some browsers refuse it where storage is off: then the server's answers tell. */
export function openChannel(name = NAME): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}

function readTold(data: unknown): Told | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  if ('signedIn' in data && typeof data.signedIn === 'string') return { signedIn: data.signedIn }
  if ('signedOut' in data && typeof data.signedOut === 'string') return { signedOut: data.signedOut }
  return undefined
}
