/** One line that names the key; the start stops with it. */
export class ConfigWrong extends Error {
  override readonly name = 'ConfigWrong'
  readonly code = 'config.wrong'
}
