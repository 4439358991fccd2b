/** Texts of lists and pickers of people. */
export const people = {
  moveInOrder: 'Move %{name}',
  placeInOrder: '%{name}: place %{place} of %{count}',
  dragHelp:
    'Press Space to pick up, the arrow keys to move, Space again to put down, Escape to leave it where it was.',
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
