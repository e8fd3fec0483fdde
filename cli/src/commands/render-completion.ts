import type { CommandOutline } from './outline.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** The script for a shell. Words and descriptions are ours, and quoted all the same. */
export function renderCompletion(shell: Shell, root: CommandOutline): string {
  switch (shell) {
    case 'bash':
      return renderBash(root)
    case 'zsh':
      return renderZsh(root)
    case 'fish':
      return renderFish(root)
    default: {
      const never: never = shell
      return never
    }
  }
}

interface Candidate {
  readonly word: string
  readonly description: string
}

function candidatesOf(outline: CommandOutline): Candidate[] {
  return [
    ...outline.commands.map((child) => ({ word: child.words.at(-1) ?? '', description: child.description })),
    ...outline.arguments.flatMap(({ choices }) => choices.map((word) => ({ word, description: '' }))),
    ...outline.options.map(({ names, description }) => ({ word: names.at(-1) ?? '', description })),
  ]
}

function every(outline: CommandOutline): CommandOutline[] {
  return [outline, ...outline.commands.flatMap(every)]
}

/** Both shells walk the typed words and look up the words that may follow. */
function renderBash(root: CommandOutline): string {
  const cases = every(root).map((outline) => {
    const words = candidatesOf(outline).map(({ word }) => word)
    return `    '${outline.words.join(' ')}') words='${words.join(' ')}' ;;`
  })
  const paths = every(root).map(({ words }) => `|${words.join(' ')}`)
  return `# bash completion of signalbox
_signalbox() {
  local path='' word words='' known='${paths.join('')}|'
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$known" in *"|\${path:+$path }$word|"*) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [ "\${#COMPREPLY[@]}" -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _signalbox signalbox`
}

function renderZsh(root: CommandOutline): string {
  const cases = every(root).map((outline) => {
    const words = candidatesOf(outline).map(({ word, description }) =>
      quote(`${word.replaceAll(':', '\\:')}:${description.replaceAll(':', '\\:')}`),
    )
    return `    ${quote(outline.words.join(' '))}) candidates=(${words.join(' ')}) ;;`
  })
  const paths = every(root).map(({ words }) => quote(words.join(' ')))
  return `#compdef signalbox
_signalbox() {
  local path_now='' word
  local -a known candidates
  known=(${paths.join(' ')})
  for word in "\${words[@]:1:$((CURRENT-2))}"; do
    (( \${known[(Ie)\${path_now:+$path_now }$word]} )) && path_now="\${path_now:+$path_now }$word"
  done
  case "$path_now" in
${cases.join('\n')}
  esac
  _describe -t commands signalbox candidates || _files
}
compdef _signalbox signalbox`
}

function renderFish(root: CommandOutline): string {
  const lines = every(root).flatMap((outline) => {
    const seen = outline.words.map((word) => `__fish_seen_subcommand_from ${word}`)
    const children = outline.commands.map(({ words }) => words.at(-1) ?? '')
    const condition = [
      ...(seen.length === 0 ? [] : seen),
      ...(children.length === 0 ? [] : [`not __fish_seen_subcommand_from ${children.join(' ')}`]),
    ].join('; and ')
    const guard = condition === '' ? '' : ` -n ${quote(condition)}`
    const words = candidatesOf(outline).filter(({ word }) => !word.startsWith('-'))
    return [
      ...words.map(
        ({ word, description }) => `complete -c signalbox -f${guard} -a ${quote(word)} -d ${quote(description)}`,
      ),
      ...outline.options.map(({ names, description, takesValue }) => {
        const long = names.find((name) => name.startsWith('--'))?.slice(2) ?? ''
        return `complete -c signalbox${guard} -l ${long}${takesValue ? ' -r' : ''} -d ${quote(description)}`
      }),
    ]
  })
  return `# fish completion of signalbox\n${lines.join('\n')}`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
