/**
 * The line of a command without the values of its variables: whoever may read a run need not see the values that the
 * pipeline keeps from them.
 */
export function withoutValues(line: string): string {
  return line.replaceAll(/(?<= )([A-Za-z_][A-Za-z0-9_]*)=[^ ]*/g, '$1=…')
}
