/** Texts of lists and pickers of people. */
export const people = {
  add: 'Add people by name, email or department',
  archived: 'Archived',
  closeList: 'Close list',
  external: 'External',
  nobodyFound: 'Nobody found.',
  searching: 'Searching…',
  showMore: 'Show %{count} more',
  openList: 'Open list',
  showExternals: 'Show external people',
}
