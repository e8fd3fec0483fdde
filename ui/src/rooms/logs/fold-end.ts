/** What ends a fold that has no name of its own. */
const UNNAMED = String.raw`^(?:::endgroup|##\[endgroup\])`
const SECTION = /^(?:\u001b\[0K)?section_start:\d+:([^\s[\r\u001b]+)/

/**
 * An expression (RE2) for the line that ends the fold which this line begins. GitLab's sections have names, and lie within
 * each other: the end of an inner one does not end the outer one. Groups end at the next end.
 */
export function foldEndOf(start: string): string {
  const name = SECTION.exec(start)?.[1]
  if (name === undefined) return UNNAMED
  return String.raw`^(?:\x1b\[0K)?section_end:\d+:${name.replaceAll(/[^\w]/g, String.raw`\$&`)}(?:\W|$)`
}
