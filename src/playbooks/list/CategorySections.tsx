import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useMemo } from 'react'

import type { PlaybookCategory } from '#contract/playbook-categories/schema.ts'
import type { OpenedPlaybook } from '#contract/playbooks/schema.ts'
import { useText } from '#src/kit/useText.ts'

import type { CreatedPlaybook } from '../dialogs/importValues.ts'
import { usePlaybook, usePlaybookList } from '../queries.ts'
import { CategoryMenu } from './CategoryMenu.tsx'
import { CategorySection } from './CategorySection.tsx'
import { PlaybookRows } from './PlaybookRows.tsx'

const NEW = { selection: 'NEW' } as const
/** Categories unfolded at first, each of which makes a request. */
const UNFOLDED = 8

const NONE: readonly CreatedPlaybook[] = []

interface Props {
  categories: readonly PlaybookCategory[]
  openId: string | undefined
  imported: readonly CreatedPlaybook[]
  canWrite: boolean
  /** Absent once the limit of playbooks is reached. */
  onCreate: ((categoryId: string) => void) | undefined
  onEditCategory: (category: PlaybookCategory) => void
}

/** Playbooks that were never published, for people who write playbooks; nothing where there is none. */
function NewPlaybooks({ openId }: Pick<Props, 'openId'>) {
  const text = useText()
  const list = usePlaybookList(NEW)
  if (!list.rows?.length) return null
  return (
    <Box component="section" aria-label={text('playbooks.notPublished')} sx={{ mb: 1 }}>
      <Typography
        variant="body2"
        component="h2"
        sx={{ px: 1.25, py: 0.75, fontWeight: 600, color: 'text.secondary' }}
      >
        {text('playbooks.notPublished')}
      </Typography>
      <PlaybookRows
        label={text('playbooks.notPublished')}
        rows={list.rows}
        openId={openId}
        hasMore={list.hasNextPage}
        isLoadingMore={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </Box>
  )
}

/** The open playbook, where a category lists it. */
function useOpened(openId: string | undefined): OpenedPlaybook | undefined {
  const { data } = usePlaybook(openId)
  return data?.isPublished && data.archiveTimestamp === null ? data : undefined
}

/** All playbooks by category; Uncategorized comes last. */
export function CategorySections(props: Props) {
  const { categories, openId, imported, canWrite, onCreate, onEditCategory } = props
  const text = useText()
  // The total comes with the first page, which its section shows.
  const byCategory = useMemo(() => Map.groupBy(imported, ({ categoryId }) => categoryId), [imported])
  const importedIn = (categoryId: string | null) => byCategory.get(categoryId) ?? NONE
  const opened = useOpened(openId)
  const openedIn = (categoryId: string | null) => (opened?.categoryId === categoryId ? opened : undefined)
  const { total: uncategorized } = usePlaybookList({ categoryId: null })
  return (
    <Box>
      {canWrite && <NewPlaybooks openId={openId} />}
      {categories.map((category, index) => (
        <CategorySection
          key={category.id}
          categoryId={category.id}
          name={category.name}
          count={category.playbooksCount}
          openId={openId}
          opened={openedIn(category.id)}
          imported={importedIn(category.id)}
          isFoldedAtFirst={index >= UNFOLDED}
          menu={
            canWrite && (
              <CategoryMenu
                category={category}
                onCreate={onCreate && (() => onCreate(category.id))}
                onEdit={() => onEditCategory(category)}
              />
            )
          }
        />
      ))}
      {(uncategorized !== 0 || categories.length === 0) && (
        <CategorySection
          categoryId={null}
          name={text('playbooks.uncategorized')}
          count={uncategorized}
          openId={openId}
          opened={openedIn(null)}
          imported={importedIn(null)}
          isFoldedAtFirst={false}
        />
      )}
    </Box>
  )
}
