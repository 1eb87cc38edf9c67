import { describe, expect, test } from 'vitest'
import { grace, inCall, kinds, match, play, waits } from '../../../support/call/machine.ts'

describe('reporting the peer', () => {
  test('ends the call at once, whatever the hub says, without a notice that the peer left', () => {
    const { state, effects } = play(
      inCall(2),
      { type: 'report-chosen', report: 'BlockAndReport', details: { reason: 'spam' } },
      { type: 'match-terminated', matchId: 's1' },
    )
    expect(state).toEqual({ phase: 'searching' })
    expect(effects).toEqual([
      {
        type: 'report',
        matchId: 's1',
        peerConnectionId: 'c1',
        report: 'BlockAndReport',
        details: { reason: 'spam' },
      },
      { type: 'stop-ticking' },
      { type: 'terminate', matchId: 's1' },
      { type: 'close-peer' },
      { type: 'go', to: 'buzzing' },
      { type: 'join-queue' },
    ])
  })

  describe('whose call ends while the dialog is open', () => {
    const open = play(inCall(2), { type: 'report-opened' }).state
    const report = { type: 'report', matchId: 's1', peerConnectionId: 'c1', report: 'ReportOnly', details: undefined }
    const chosen = { type: 'report-chosen', report: 'ReportOnly' } as const

    test('because the peer left: is still made, and the search goes on after it', () => {
      const left = play(open, { type: 'match-terminated', matchId: 's1' })
      expect(left.state).toMatchObject({ phase: 'reporting', peer: grace })
      expect(kinds(left.effects)).toEqual(['stop-match-timer', 'stop-ticking', 'notify-peer-left', 'close-peer'])
      const made = play(left.state, { type: 'match-found', ...match, role: 'Caller', at: 0 }, chosen)
      expect(made.state).toEqual({ phase: 'searching' })
      expect(made.effects).toEqual([
        report,
        { type: 'close-peer' },
        { type: 'go', to: 'buzzing' },
        { type: 'join-queue' },
      ])
    })

    test('because the connection was lost: is still made', () => {
      const lost = play(open, { type: 'connection-lost', matchId: 's1' })
      expect(lost.effects).toContainEqual({ type: 'terminate', matchId: 's1' })
      expect(play(lost.state, chosen).effects[0]).toEqual(report)
    })

    test('because the peer reported first: is still made, and the warning follows', () => {
      const reported = play(open, { type: 'reported-by-peer', matchId: 's1' })
      expect(kinds(reported.effects)).toEqual(['stop-ticking', 'capture-evidence', 'close-peer'])
      const warned = { phase: 'warned', understoodIn: waits.understoodWaitSeconds }
      const made = play(reported.state, chosen)
      expect(made.state).toEqual(warned)
      expect(made.effects).toEqual([report, { type: 'start-ticking' }, { type: 'go', to: 'chat' }])
      for (const way of ['report-dropped', 'leave-now-pressed'] as const)
        expect(play(reported.state, { type: way }).state).toEqual(warned)
      const barred = play(reported.state, { type: 'failed', reason: 'not-allowed' }, { type: 'report-dropped' })
      expect(barred.state).toEqual({ ...warned, barred: true })
    })

    test('is not needed: Cancel searches on, and "Leave now" ends the visit without a word to a match that is over', () => {
      const { state } = play(open, { type: 'match-terminated', matchId: 's1' })
      expect(kinds(play(state, { type: 'report-dropped' }).effects)).toEqual([
        'forget-evidence',
        'close-peer',
        'go',
        'join-queue',
      ])
      const leaving = play(state, { type: 'leave-now-pressed' })
      expect(leaving.state).toEqual({ phase: 'ended', reason: 'exit' })
      expect(kinds(leaving.effects)).not.toContain('terminate')
    })
  })

  test('a dialog that was closed does not hold the call when the peer leaves', () => {
    const { state } = play(
      inCall(2),
      { type: 'report-opened' },
      { type: 'report-dropped' },
      { type: 'match-terminated', matchId: 's1' },
    )
    expect(state).toEqual({ phase: 'searching' })
  })

  test('is not needed to leave: the dialog also leads to the dashboard, without the wait of Exit', () => {
    const { state, effects } = play(inCall(3), { type: 'report-opened' }, { type: 'leave-now-pressed' })
    expect(state).toEqual({ phase: 'ended', reason: 'exit' })
    expect(kinds(effects)).not.toContain('report')
    expect(effects).toContainEqual({ type: 'terminate', matchId: 's1' })
    expect(effects.at(-1)).toEqual({ type: 'leave', reason: 'exit' })
  })
})
