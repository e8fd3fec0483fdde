const AT_ONCE = 3

/**
 * Asks a few rooms at once: people type faster than they read, and a search must not take every connection. The answers
 * are in the order in which they came.
 */
export async function askRooms<Asked, Found>(
  rooms: readonly Asked[],
  ask: (room: Asked) => Promise<readonly Found[]>,
): Promise<readonly Found[]> {
  const found: Found[] = []
  const unasked = rooms.values()
  const askSome = async (): Promise<void> => {
    for (const room of unasked) found.push(...(await ask(room)))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askSome))
  return found
}
