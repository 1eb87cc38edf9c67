/** Texts of the page /profile, which is for developers. */
export const texts = {
  'profiling.title': 'What this browser measured',
  'profiling.lead': 'Calls and requests of this visit, kept in this browser alone. Nothing of it is sent.',
  'profiling.refresh': 'Refresh',
  'profiling.save': 'Save',
  'profiling.save.json': 'Everything (JSON)',
  'profiling.save.rtcstats': 'Statistics of calls (rtcstats)',
  'profiling.save.trace': 'Trace (Perfetto, Chrome)',
  'profiling.findings': 'What stands out',
  'profiling.findings.none': 'Nothing is slow and nothing is left over.',
  'profiling.finding.worker-task':
    'The worker computes too long at {where}: {count} times, up to {measured} ms without a wait. Up to {limit} ms are good, for all other requests to it wait as long.',
  'profiling.finding.lost-message':
    'The hub did not answer {where}: {count} times, given up after {measured} ms. Its answer or the message itself was lost.',
  'profiling.finding.late-chunk':
    'The code of {where} came late: {measured} ms after it was asked for. Up to {limit} ms are good.',
  'profiling.finding.leaked-track':
    'Cameras or microphones are still running: {measured} live tracks outside a call, where there should be {limit}.',
  'profiling.finding.leaked-connection':
    'Peer connections are still open: {measured} outside a call, where there should be {limit}.',
  'profiling.finding.leaked-listener':
    'Listeners are not removed: {where}, {measured} times the same one. Up to {limit} are in order.',
  'profiling.finding.slow-relay':
    'The relay is slow: {measured} ms until its first candidate, in {count} connections. Up to {limit} ms are good.',
  'profiling.finding.blocked-udp':
    'The network lets no UDP through: {where} goes over TCP, and no server answered over UDP.',
  'profiling.finding.stuck-queue':
    'Requests to workers stand in line though no worker computes: {count} requests, up to {measured} ms ({where}). Up to {limit} ms are good.',
  'profiling.finding.slow-provider':
    'The provider of the sign-in is slow: {measured} ms for the {where}. Up to {limit} ms are good.',
  'profiling.calls': 'Calls',
  'profiling.calls.none': 'No call yet.',
  'profiling.call': 'Call {number}: {ms} ms from the press to the first frame',
  'profiling.call.unfinished': 'Call {number}: no first frame within {ms} ms',
  'profiling.slowest': 'Slowest step: {step}, {ms} ms',
  'profiling.slowest-after-match': 'Slowest step after the match: {step}, {ms} ms',
  'profiling.causes': 'Quality, from when on: {causes}',
  'profiling.steps': '{count, plural, one {# step} other {# steps}}',
  'profiling.step': 'Step',
  'profiling.start': 'Start (ms)',
  'profiling.length': 'Length (ms)',
  'profiling.place': 'Place in the call',
  'profiling.requests': 'Requests to workers',
  'profiling.requests.none': 'No request yet.',
  'profiling.method': 'Method',
  'profiling.count': 'Count',
  'profiling.queue': 'Queue p50 / p95 (ms)',
  'profiling.work': 'Work p50 / p95 (ms)',
  'profiling.reply': 'Reply p50 / p95 (ms)',
  'profiling.alive': 'What is alive',
  'profiling.alive.what': 'What',
  'profiling.alive.now': 'Now',
  'profiling.alive.at-most': 'At most, outside a call',
  'profiling.alive.too-many': '{count} (too many)',
  'profiling.alive.peerConnections': 'Peer connections',
  'profiling.alive.tracks': 'Live tracks',
  'profiling.alive.workers': 'Workers',
  'profiling.alive.objectUrls': 'Object URLs',
  'profiling.alive.listeners': 'Listeners of window and document',
  'profiling.overlay.queue': 'queue {last} ms, most {most} ms',
  'profiling.overlay.bitrate': '↑ {up} ↓ {down} kbit/s',
} as const

declare global {
  interface TextGroups {
    profiling: typeof texts
  }
}
