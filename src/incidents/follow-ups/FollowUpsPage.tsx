import AssignmentTurnedInRounded from '@mui/icons-material/AssignmentTurnedInRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'

import { FOLLOW_UP_LISTS, type FollowUpList } from '#contract/follow-ups/schema.ts'
import { followUps as words } from '#providers/i18n/follow-ups.ts'
import { useAddress, withChanges } from '#src/kit/browser/useAddress.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { PagedList } from '#src/kit/list/PagedList.tsx'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'

import { FollowUpRow } from './FollowUpRow.tsx'
import { useFollowUps } from './queries.ts'

/** The list in the address, so that Back from an incident restores it. */
function useList() {
  const [params, setParams] = useAddress()
  const list = FOLLOW_UP_LISTS.find((one) => one === params.get('list')) ?? 'MINE'
  const show = (next: FollowUpList) =>
    setParams((now) => withChanges(now, { list: next === 'MINE' ? '' : next }), { replace: true })
  return { list, show }
}

/** The follow-ups across incidents: one's own first, by due time. */
export function FollowUpsPage() {
  const { list, show } = useList()
  const followUps = useFollowUps(list)
  const counts = followUps.data?.pages.at(-1)?.counts
  return (
    <Box sx={{ display: 'grid', gap: 2, maxWidth: 1040, mx: 'auto', p: { xs: 2, md: 3 } }}>
      <PageTitle title={words.title} />
      <ToggleButtonGroup
        exclusive
        value={list}
        aria-label={words.list}
        onChange={(_, next: FollowUpList | null) => {
          if (next) show(next)
        }}
        sx={{ justifySelf: 'start', maxWidth: '100%', overflowX: 'auto', bgcolor: 'background.paper' }}
      >
        {FOLLOW_UP_LISTS.map((one) => (
          <ToggleButton
            key={one}
            value={one}
            color="primary"
            sx={{ flex: 'none', textTransform: 'none', px: 2, minHeight: { xs: 44, sm: 40 } }}
          >
            {words.counted(one, one === 'DONE' ? 0 : (counts?.[one] ?? 0))}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <PagedList
        query={followUps}
        label={words.title}
        found={words.found}
        more={words.more}
        nothing={
          <EmptyState
            icon={<AssignmentTurnedInRounded />}
            text={words.empty[list]}
            action={
              list === 'MINE' && (
                <Button variant="outlined" onClick={() => show('OPEN')}>
                  {words.showOpen}
                </Button>
              )
            }
          />
        }
        sx={{
          px: 2,
          py: 0.5,
          bgcolor: 'background.paper',
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
        }}
      >
        {(one) => <FollowUpRow followUp={one} />}
      </PagedList>
    </Box>
  )
}
