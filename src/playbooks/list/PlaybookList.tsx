import EventRepeatRounded from '@mui/icons-material/EventRepeatRounded'
import BookRounded from '@mui/icons-material/BookRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Paper from '@mui/material/Paper'

import { playbooksAccess } from '#contract/playbooks/access.ts'
import { useCan } from '#providers/useCan.ts'
import { Awaiting } from '#src/kit/feedback/Awaiting.tsx'
import { useAddress } from '#src/kit/browser/useAddress.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { SearchBox } from '#src/kit/list/SearchBox.tsx'
import { useText } from '#src/kit/useText.ts'
import { useCategories } from '../useCategories.ts'

import type { CreatedPlaybook } from '../dialogs/importValues.ts'
import { BY_LAST_USE, BY_NAME, useCapacity } from '../queries.ts'
import type { PlaybookDialog } from '../usePlaybookDialogs.tsx'
import { CategorySections } from './CategorySections.tsx'
import { CreateMenu } from './CreateMenu.tsx'
import { DisplayMenu } from './DisplayMenu.tsx'
import { FoundPlaybooks } from './FoundPlaybooks.tsx'
import { FILTERS, type Order, ORDERS, type Shown, SHOWN } from './listValues.ts'

interface Props {
  openId: string | undefined
  /** True while an editor is beside the list, with the filled button of the page. */
  isWriting: boolean
  /** Playbooks to mark, of the last import. */
  imported: readonly CreatedPlaybook[]
  onCreate: (categoryId?: string) => void
  onDialog: (dialog: PlaybookDialog) => void
}

/** The list's filter, kept in the address. */
function useListFilter() {
  const [params, setParams] = useAddress()
  const q = params.get('q') ?? ''
  const reviewDue = params.get('review') === 'due'
  const set = (name: string, value: string) =>
    setParams(
      (next) => {
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      },
      { replace: true },
    )
  const shown = SHOWN.find((one) => one === params.get('show')) ?? 'ALL'
  const order = ORDERS.find((one) => one === params.get('sort')) ?? 'NAME'
  return {
    q,
    reviewDue,
    shown,
    order,
    show: (next: Shown) => set('show', next === 'ALL' ? '' : next),
    sortBy: (next: Order) => set('sort', next === 'NAME' ? '' : next),
    search: (word: string) => set('q', word),
    toggleReviewDue: () => set('review', reviewDue ? '' : 'due'),
  }
}

function Footer({ onDialog }: Pick<Props, 'onDialog'>) {
  const text = useText()
  const can = useCan()
  const acts = [
    ...(can(playbooksAccess.write) ? [['createCategory', 'category'] as const] : []),
    ['exportPlaybooks', 'export'] as const,
    ...(can(playbooksAccess.share) ? [['sharePlaybooks', 'share'] as const] : []),
    ...(can(playbooksAccess.write) ? [['bin', 'bin'] as const] : []),
  ]
  return (
    <Box
      sx={{
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fit, minmax(136px, 1fr))',
        p: 0.75,
        borderTop: 1,
        borderColor: 'divider',
        '& > button': { justifyContent: 'start', minHeight: { xs: 44, md: 32 }, fontWeight: 400 },
      }}
    >
      {acts.map(([label, kind]) => (
        <Button
          key={kind}
          size="small"
          color="inherit"
          onClick={() => onDialog(kind === 'category' ? { kind, category: null } : { kind })}
        >
          {text(`playbooks.${label}`)}
        </Button>
      ))}
    </Box>
  )
}

function Empty({ canWrite, onDialog }: { canWrite: boolean } & Pick<Props, 'onDialog'>) {
  const text = useText()
  return (
    <EmptyState
      icon={<BookRounded />}
      text={text(canWrite ? 'playbooks.empty' : 'playbooks.emptyClosed')}
      action={
        canWrite && (
          <Button variant="outlined" onClick={() => onDialog({ kind: 'starters' })}>
            {text('playbooks.useStarters')}
          </Button>
        )
      }
    />
  )
}

/** The playbooks by category, with a search above and bulk actions below (operations §2). */
export function PlaybookList({ openId, isWriting, imported, onCreate, onDialog }: Props) {
  const text = useText()
  const canWrite = useCan()(playbooksAccess.write)
  const categories = useCategories()
  const { count, isFull } = useCapacity()
  const { q, reviewDue, shown, order, search, toggleReviewDue, show, sortBy } = useListFilter()
  const isNarrowed = q !== '' || reviewDue || shown !== 'ALL' || order !== 'NAME'
  const content = () => {
    if (!categories.data) return <Awaiting queries={[categories]} height={320} />
    if (isNarrowed)
      return (
        <FoundPlaybooks
          filter={{ ...FILTERS[shown], ...(q && { q }), ...(reviewDue && { reviewDue }) }}
          sort={order === 'USED' ? BY_LAST_USE : BY_NAME}
          categories={categories.data}
          openId={openId}
        />
      )
    return (
      <>
        {count === 0 && <Empty canWrite={canWrite} onDialog={onDialog} />}
        {(count !== 0 || categories.data.length > 0) && (
          <CategorySections
            categories={categories.data}
            openId={openId}
            imported={imported}
            canWrite={canWrite}
            onCreate={isFull ? undefined : onCreate}
            onEditCategory={(category) => onDialog({ kind: 'category', category })}
          />
        )}
      </>
    )
  }
  return (
    <Paper
      component="nav"
      aria-label={text('playbooks.list')}
      variant="outlined"
      sx={{ display: 'flex', flexDirection: 'column', maxHeight: 'inherit' }}
    >
      <Box sx={{ display: 'grid', gap: 1.25, p: 1.5, borderBottom: 1, borderColor: 'divider' }}>
        <SearchBox label={text('playbooks.search')} value={q} onSearch={search} />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 0.75 }}>
          <Chip
            icon={<EventRepeatRounded />}
            label={text('playbooks.reviewDue')}
            variant={reviewDue ? 'filled' : 'outlined'}
            color={reviewDue ? 'primary' : 'default'}
            aria-pressed={reviewDue}
            onClick={toggleReviewDue}
          />
          {shown !== 'ALL' && (
            <Chip
              label={text(`playbooks.selections.${shown}`)}
              color="primary"
              onDelete={() => show('ALL')}
            />
          )}
          <Box sx={{ ml: 'auto' }}>
            <DisplayMenu shown={shown} order={order} canWrite={canWrite} onShow={show} onOrder={sortBy} />
          </Box>
        </Box>
        {canWrite && (
          <CreateMenu
            isFilled={openId === undefined && !isWriting}
            onNew={() => onCreate()}
            onStarters={() => onDialog({ kind: 'starters' })}
            onImport={() => onDialog({ kind: 'import' })}
          />
        )}
      </Box>
      <Box sx={{ flex: 1, minHeight: 0, overflowY: 'auto', p: 0.75 }}>{content()}</Box>
      <Footer onDialog={onDialog} />
    </Paper>
  )
}
