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
  channel.hear((data) => {
    const told = readTold(data)
    if (told && 'signedIn' in told && told.signedIn !== userId) onOther()
    if (told && 'signedOut' in told && told.signedOut === userId) onSignOut()
  })
  channel.tell({ signedIn: userId } satisfies Told)
  return () => channel.close()
}

export function tellSignOut(userId: string): void {
  const channel = openChannel()
  channel?.tell({ signedOut: userId } satisfies Told)
  channel?.close()
}

/** What one tab tells, every other tab of the browser hears. */
export interface Channel {
  tell(message: unknown): void
  hear(listener: (message: unknown) => void): void
  close(): void
}

/** Some browsers refuse it where storage is off: then the server's answers tell. */
export function openChannel(name = NAME): Channel | undefined {
  try {
    const channel = new BroadcastChannel(name)
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of its origin
      tell: (message) => channel.postMessage(message),
      hear: (listener) => channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => listener(data)),
      close: () => channel.close(),
    }
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
