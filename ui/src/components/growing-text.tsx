import { InputBase } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import styles from './growing-text.module.css'

interface GrowingTextProps
  extends Pick<ComponentProps<'textarea'>, 'autoComplete' | 'maxLength' | 'onChange' | 'spellCheck' | 'value'> {
  readonly label: string
  readonly description?: ReactNode
  readonly error?: ReactNode
  readonly required?: boolean
  readonly flex?: number
  /** Lines of an empty field. */
  readonly least?: number
  /** Lines after which it scrolls. */
  readonly most?: number
}

/**
 * A field of several lines that is as high as its text; where a browser cannot do that, it has the least height.
 * Mantine's own measures its text in a second, hidden field, and holds the page for seconds where that is long.
 */
export function GrowingText({ least = 1, most = 20, ...field }: GrowingTextProps): ReactNode {
  return (
    <InputBase<'textarea'>
      {...field}
      component="textarea"
      multiline
      size="sm"
      rows={least}
      classNames={{ input: styles['input'] ?? '' }}
      styles={{ input: { '--least-lines': least, '--most-lines': most } }}
    />
  )
}
