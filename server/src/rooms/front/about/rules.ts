import type { License } from '@signalbox/contracts/about'

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
