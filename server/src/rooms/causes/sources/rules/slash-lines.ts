const MOST_WORDS = 32
const LONGEST_WORD = 32
const SLASH_WORD = /(?:^|[\r\n])\/([^\s]{1,32})/g

/**
 * The first words of the lines of a comment that begin with a slash, without it; none for most comments. Which of these
 * lines are commands is for the room of commands, which reads the comment again: quoted and fenced lines are among them.
 */
export function slashWordsOf(body: string): readonly string[] {
  if (!body.includes('/')) return []
  const words = new Set<string>()
  for (const [, word = ''] of body.matchAll(SLASH_WORD)) {
    words.add(word.slice(0, LONGEST_WORD).toLowerCase())
    if (words.size === MOST_WORDS) break
  }
  return [...words]
}
