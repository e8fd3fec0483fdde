import type { Permission } from '@signalbox/contracts/access'
import type { IconProps } from '@tabler/icons-react'
import type { ComponentType } from 'react'

/** An entry of the navigation; each room states its own. */
export interface NavigationEntry {
  readonly label: string
  readonly icon: ComponentType<IconProps>
  /** Below the team of the address, such as `runs`; with a leading slash, below the root. */
  readonly path: string
  readonly group: 'work' | 'causes' | 'catalog' | 'people' | 'system'
  /** The entry is left out for those who hold this permission nowhere. */
  readonly permission?: Permission
  /** The letter after `g` that leads there. */
  readonly key?: string
}

export const GROUPS = {
  work: 'Work',
  causes: 'Causes',
  catalog: 'Catalog',
  people: 'People',
  system: 'System',
} as const satisfies Readonly<Record<NavigationEntry['group'], string>>

/** What the palette offers to do, beside the pages; each room states its own. */
export interface ActionEntry {
  readonly label: string
  /** Where it is done: below the team of the address, or with a leading slash below the root; with its search. */
  readonly path: string
  /** Those who lack it read so. */
  readonly permission: Permission
}
