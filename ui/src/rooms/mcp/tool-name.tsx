import { Code } from '@mantine/core'
import type { ReactNode } from 'react'
import { showInvisible } from '../../components/index.ts'
import styles from './mcp.module.css'

/** Names of tools are shorter; a client may have asked for anything. */
const LONGEST = 30

/** The name of a tool, on one line. */
export function ToolName({ children: name }: { readonly children: string }): ReactNode {
  return <Code className={name.length > LONGEST ? undefined : styles['name']}>{showInvisible(name)}</Code>
}
