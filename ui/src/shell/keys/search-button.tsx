import { Button, Kbd } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './search-button.module.css'

/** Opens the palette for those who do not know its key, and tells it. */
export function SearchButton({ onPress }: { readonly onPress: () => void }): ReactNode {
  return (
    <Button
      className={styles['search']}
      classNames={{ label: styles['label'] ?? '', section: styles['section'] ?? '' }}
      variant="default"
      aria-keyshortcuts="Control+K Meta+K"
      leftSection={<IconSearch className={styles['icon']} aria-hidden />}
      rightSection={
        <Kbd className={styles['key']} size="xs" aria-hidden>
          Ctrl K
        </Kbd>
      }
      onClick={onPress}
    >
      Search
    </Button>
  )
}
