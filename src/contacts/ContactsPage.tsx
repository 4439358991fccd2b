import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import ContactsRounded from '@mui/icons-material/ContactsRounded'
import DeleteRounded from '@mui/icons-material/DeleteRounded'
import FileUploadRounded from '@mui/icons-material/FileUploadRounded'
import HistoryRounded from '@mui/icons-material/HistoryRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Paper from '@mui/material/Paper'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useListFilterContext } from 'react-admin'
import { Suspense, useMemo, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'

import { contactsApi } from '#contract/contacts/api.ts'
import { useCan } from '#providers/useCan.ts'
import { lazy } from '#src/kit/browser/lazy.ts'
import { useAddress } from '#src/kit/browser/useAddress.ts'
import { EmptyState } from '#src/kit/feedback/EmptyState.tsx'
import { ErrorState } from '#src/kit/feedback/ErrorState.tsx'
import { NARROW } from '#src/kit/layout/breakpoints.ts'
import { NotRefreshed } from '#src/kit/feedback/NotRefreshed.tsx'
import { PageTitle } from '#src/kit/layout/PageTitle.tsx'
import { filterIn } from '#src/kit/resource/listAddress.ts'
import { RefreshButton } from '#src/kit/list/RefreshButton.tsx'
import { PHONE } from '#src/kit/layout/breakpoints.ts'
import { ResourceList } from '#src/kit/resource/ResourceList.tsx'
import { ListSearch } from '#src/kit/resource/ListSearch.tsx'
import { SideBySide } from '#src/kit/layout/SideBySide.tsx'
import { SortMenu } from '#src/kit/resource/SortMenu.tsx'
import { useText } from '#src/kit/useText.ts'

import { ContactLists } from './ContactLists.tsx'
import { ContactTable, FOUND, IN_A_LIST } from './ContactTable.tsx'
import { CONTACTS, useContactLists, useRefreshContacts } from './queries.ts'
import { RemoveList } from './RemoveList.tsx'

const ImportsDialog = lazy(async () => ({
  default: (await import('#src/imports/ImportsDialog.tsx')).ImportsDialog,
}))
const ImportContacts = lazy(async () => ({
  default: (await import('./ImportContacts.tsx')).ImportContacts,
}))

/** Keeps the open list in the address, for reloads and shared links. */
function useListPlace() {
  const [params] = useSearchParams()
  const to = (name: string | undefined) => {
    const next = new URLSearchParams(params)
    for (const gone of ['list', 'filter', 'page']) next.delete(gone)
    if (name !== undefined) next.set('list', name)
    return { search: String(next) }
  }
  return { list: params.get('list') ?? undefined, to }
}

function useContactsPage() {
  const can = useCan()
  const narrow = useMediaQuery(NARROW, { noSsr: true })
  const phone = useMediaQuery(PHONE, { noSsr: true })
  const { list, to } = useListPlace()
  const searching = useListFilterContext().filterValues.q !== undefined
  const [removing, setRemoving] = useState<string>()
  const [imports, setImports] = useState(false)
  const [hasHistory, setHistory] = useState(false)
  const { data, error } = useContactLists()
  return {
    narrow,
    phone,
    to,
    lists: data,
    error,
    searching,
    /** The open list; a search covers all of them. */
    list: searching ? undefined : list,
    showsContacts: searching || list !== undefined,
    isStale: data !== undefined && error !== null,
    isEmpty: data?.length === 0 && !searching,
    /** True if the address names a list without contacts. */
    isGone: !searching && list !== undefined && data?.every(({ name }) => name !== list) === true,
    removing,
    setRemoving,
    canRemoveList: can(contactsApi.removeList.access),
    imports,
    setImports,
    hasHistory,
    setHistory,
    openImport: can(contactsApi.add.access) ? () => setImports(true) : undefined,
  }
}
type PageState = ReturnType<typeof useContactsPage>

function RemoveListButton({ phone, list, setRemoving }: PageState) {
  const text = useText()
  const open = () => setRemoving(list)
  return phone ? (
    <IconButton color="error" aria-label={text('contacts.removeList')} onClick={open} sx={{ mr: -1 }}>
      <DeleteRounded />
    </IconButton>
  ) : (
    <Button size="small" color="error" startIcon={<DeleteRounded />} onClick={open} sx={{ flex: 'none' }}>
      {text('contacts.removeList')}
    </Button>
  )
}

/** Heading above the table, with a back button on phones. */
function Heading(page: PageState) {
  const text = useText()
  const { narrow, phone, searching, list, to, canRemoveList } = page
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        px: 2,
        py: 1,
        minHeight: 53,
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      {narrow && !searching && (
        <IconButton
          component={Link}
          to={to(undefined)}
          aria-label={text('contacts.back')}
          sx={{ ml: -1, color: 'text.secondary' }}
        >
          <ArrowBackRounded />
        </IconButton>
      )}
      <Typography
        variant="h3"
        component="h2"
        title={list}
        sx={{
          flex: 1,
          minWidth: 0,
          display: '-webkit-box',
          WebkitBoxOrient: 'vertical',
          WebkitLineClamp: 2,
          overflow: 'hidden',
          overflowWrap: 'anywhere',
        }}
      >
        <bdi>{searching ? text('contacts.found') : list}</bdi>
      </Typography>
      {phone && <SortMenu columns={IN_A_LIST.columns} />}
      {!searching && canRemoveList && <RemoveListButton {...page} />}
    </Box>
  )
}

function Contacts(page: PageState) {
  const text = useText()
  const { list, searching, isGone, isStale, phone, to } = page
  if (isGone)
    return (
      <Paper variant="outlined">
        <EmptyState
          text={text('grid.gone')}
          action={
            <Button variant="outlined" component={Link} to={to(undefined)}>
              {text('contacts.back')}
            </Button>
          }
        />
      </Paper>
    )
  return (
    <ContactTable
      definition={searching ? FOUND : IN_A_LIST}
      label={searching ? text('contacts.found') : (list ?? '')}
      phone={phone}
      heading={<Heading {...page} />}
      isStale={isStale}
    />
  )
}

/** Lists beside contacts; on narrow screens one after the other. */
function Content(page: PageState) {
  const text = useText()
  const { lists, error, isEmpty, list, to, narrow, showsContacts, openImport } = page
  const refresh = useRefreshContacts()
  if (!lists && error)
    return (
      <Paper variant="outlined">
        <ErrorState error={error} text={text('contacts.failed')} onRetry={refresh} />
      </Paper>
    )
  if (isEmpty)
    return (
      <Paper variant="outlined">
        <EmptyState
          icon={<ContactsRounded />}
          text={text('contacts.empty')}
          action={
            openImport && (
              <Button variant="contained" startIcon={<FileUploadRounded />} onClick={openImport}>
                {text('contacts.import')}
              </Button>
            )
          }
        />
      </Paper>
    )
  const side = <ContactLists lists={lists} shown={list} to={to} prompts={narrow} />
  if (narrow) return showsContacts ? <Contacts {...page} /> : side
  return (
    <SideBySide side={side} width={280}>
      {showsContacts ? (
        <Box sx={{ minWidth: 0 }}>
          <Contacts {...page} />
        </Box>
      ) : (
        <Paper variant="outlined">
          <EmptyState icon={<ContactsRounded />} text={text('contacts.prompt')} />
        </Paper>
      )}
    </SideBySide>
  )
}

function Toolbar({ phone, isEmpty, openImport, setHistory }: PageState) {
  const text = useText()
  const refresh = useRefreshContacts()
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
      <Box sx={phone ? { flex: 1 } : { flex: '0 1 280px' }}>
        <ListSearch label={text('contacts.search')} />
      </Box>
      {!phone && <Box sx={{ flex: 1 }} />}
      <RefreshButton resource={CONTACTS} onRefresh={refresh} />
      {openImport && (
        <IconButton
          title={text('imports.open')}
          aria-label={text('imports.open')}
          onClick={() => setHistory(true)}
          sx={{ color: 'text.secondary' }}
        >
          <HistoryRounded />
        </IconButton>
      )}
      {openImport && !isEmpty && (
        <Button
          variant="contained"
          startIcon={<FileUploadRounded />}
          onClick={openImport}
          sx={phone ? { width: '100%' } : { flex: 'none' }}
        >
          {text('contacts.import')}
        </Button>
      )}
    </Box>
  )
}

/** Contact lists and contacts (administration §2.1). */
export function ContactsPage() {
  const { list } = useListPlace()
  const [address] = useAddress()
  const isSearch = filterIn(address, IN_A_LIST).q !== undefined
  const shown = isSearch ? undefined : list
  const filter = useMemo(() => ({ list: shown }), [shown])
  return (
    <ResourceList
      definition={isSearch ? FOUND : IN_A_LIST}
      filter={filter}
      enabled={isSearch || list !== undefined}
    >
      <Page />
    </ResourceList>
  )
}

function Page() {
  const text = useText()
  const navigate = useNavigate()
  const refresh = useRefreshContacts()
  const page = useContactsPage()
  const { removing, setRemoving, imports, setImports, hasHistory, setHistory } = page
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2, p: { xs: 2, md: 3 } }}>
      <PageTitle title={text('contacts.title')} />
      <Toolbar {...page} />
      {page.isStale && !page.showsContacts && <NotRefreshed onRetry={refresh} />}
      <Content {...page} />
      {removing !== undefined && (
        <RemoveList
          name={removing}
          onRemoved={() => void navigate(page.to(undefined), { replace: true })}
          onClose={() => setRemoving(undefined)}
        />
      )}
      <Suspense>
        {imports && <ImportContacts onClose={() => setImports(false)} />}
        {hasHistory && <ImportsDialog kind="CONTACTS" onUndone={refresh} onClose={() => setHistory(false)} />}
      </Suspense>
    </Box>
  )
}
