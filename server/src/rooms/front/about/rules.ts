import type { License, SystemSetting } from '@signalbox/contracts/about'
import type { DescribedSetting } from '#platform/config'

/** The product, and what it brings along; `npm run sbom` lists every library. */
export const LICENSES: readonly License[] = [
  named('Signalbox', 'Apache-2.0'),
  named('PostgreSQL', 'PostgreSQL'),
  named('Node.js', 'MIT'),
  named('React', 'MIT'),
  named('Mantine', 'MIT'),
  named('TanStack Query and Router', 'MIT'),
  named('React Flow', 'MIT'),
  named('CodeMirror', 'MIT'),
  named('Tabler Icons', 'MIT'),
  named('Inter', 'OFL-1.1'),
]

function named(name: string, license: string): License {
  return { name, license, url: `https://spdx.org/licenses/${license}.html` }
}

/** An option as a person reads it: values as text, of a secret only that there is one. */
export function settingOf({
  name,
  value,
  origin,
  default: standard,
  type,
  secret,
  text,
}: DescribedSetting): SystemSetting {
  const shown = textOf(value)
  return {
    name,
    value: secret && shown !== null ? 'set' : shown,
    default: textOf(standard),
    origin,
    type,
    hidden: secret,
    text: plain(text),
  }
}

/** What is empty is no value. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((item) => textOf(item) ?? '').join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The sentences of an option are Markdown for the page of the documentation. */
function plain(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')
}
