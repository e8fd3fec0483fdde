import type { Values } from './expand.ts'

const LONGEST = 63

/** The name of one instance of a task: `<task>-<its values>`, of the characters that names have, at most 63 of them. */
export function instanceName(task: string, values: Values): string {
  const slug = [...values.values()]
    .map(slugOf)
    .filter((part) => part !== '')
    .join('-')
  const name = slug === '' ? task : `${task}-${slug}`
  if (slug !== '' && name.length <= LONGEST) return name
  // A name that does not fit, or has no such character, gets a mark from all of its values.
  const mark = fingerprint([...values].flat().join('\0'))
  return `${name.slice(0, LONGEST - mark.length - 1)}-${mark}`
}

function slugOf(value: string): string {
  return value
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
}

/** FNV-1a over UTF-16 units, 32 bits: for telling names apart, not for keeping secrets. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
