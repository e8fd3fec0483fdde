import { InputBase } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import styles from './growing-text.module.css'
import { cutTowers } from './show-invisible.ts'

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
 *
 * Towers of marks are shown cut: a browser needs the square of their height, 9 s for 60,000 marks, whatever the height of
 * the field. The value is whole until somebody types.
 */
export function GrowingText({ least = 1, most = 20, value, description, ...field }: GrowingTextProps): ReactNode {
  const shown = typeof value === 'string' ? cutTowers(value) : value
  return (
    <InputBase<'textarea'>
      {...field}
      value={shown}
      description={
        shown === value ? (
          description
        ) : (
          <>
            {description} Towers of marks are cut here. The whole value stays until you type: then it is what you see.
          </>
        )
      }
      component="textarea"
      multiline
      size="sm"
      rows={least}
      classNames={{ input: styles['input'] ?? '' }}
      styles={{ input: { '--least-lines': least, '--most-lines': most } }}
    />
  )
}
