-- The first part of every step of pool.lua: keys, home servers and the queue. Names of keys, fields and notices stay as they
-- are: servers of two versions run side by side during an upgrade.
local P = KEYS[1]
local a = cjson.decode(ARGV[2])
local call = redis.call

local function key(kind, id) return P .. ':' .. kind .. ':' .. id end
local RELAXED, RECENT, ABSENT, SERVERS, DEAD = P .. ':relaxed', P .. ':recent', P .. ':absent', P .. ':servers', P .. ':dead'
-- LOCAL: entries that do not spill yet. EARLY: entries that have spilled from the beginning; servers of the previous
-- version read this list. REGIONS: the regions that may have entries, without the region whose name is empty.
local LOCAL, EARLY, REGIONS = P .. ':local', P .. ':early', P .. ':regions'
-- LANGUAGE, ANYBODY: entries that have not waited for languageAfter or anybodyAfter yet and have no waiver of that
-- wait.
local LANGUAGE, ANYBODY = P .. ':language', P .. ':anybody'
-- MIXED: entries of users who do not wait apart and have not waited for apartAfter. The entries of users who wait apart
-- are in separate lists, which servers of the previous version do not read. APART_REGIONS: the regions of these
-- entries.
local MIXED, APART_REGIONS = P .. ':mixed', P .. ':apart-regions'
-- TICKER: the server in its field `server` runs the ticks as long as it is a live member. `due` is the time of the next
-- tick that this server knows of.
local TICKER = P .. ':ticker'
local function exact(number) return string.format('%.17g', number) end
local function userKey(id) return key('user', id) end
local function get(hash, field) local found = call('HGET', hash, field) return found or nil end
-- Exclusions of matched users are kept this long: longer than it takes to open or discard a match.
local KEEP_EXCLUSIONS_MS = 120000
-- Dead servers are stored for a day, so that a server that was only slow cannot go on.
local KEEP_DEAD_MS = 86400000
-- How long the latest join of a region is kept: longer than any spill time.
local KEEP_JOINED_MS = 86400000
-- Joins with languages and interests are kept this much longer than they count: clocks of servers differ.
local KEEP_JOINS_MS = 60000
local reply = {}

local function microseconds()
  local time = call('TIME')
  return time[1] * 1000000 + time[2]
end
local function milliseconds() return math.floor(microseconds() / 1000) end
-- Returns the replication id: it changes when Redis restarts or a replica takes over. Empty where INFO is not allowed.
local function replicationId()
  local info = redis.pcall('INFO', 'replication')
  return type(info) == 'string' and string.match(info, 'master_replid:(%x+)') or ''
end
local function isAlive(server)
  local untilTime = call('ZSCORE', SERVERS, server)
  return untilTime and tonumber(untilTime) > milliseconds()
end

-- True for a server of another region: it holds connections of users of this pool, but is no home server and makes no matches.
local function isGuest(server) return string.sub(server, 1, 6) == 'guest:' end

local function notify(server, notice) call('XADD', key('to', server), '*', 'n', cjson.encode(notice)) end

-- Returns the previous home server.
local function setHome(user, home)
  local previous = get(userKey(user), 'home')
  if previous == home then return previous end
  if previous then call('SREM', key('homes', previous), user) end
  call('HSET', userKey(user), 'home', home)
  call('SADD', key('homes', home), user)
  return previous
end

-- Sets the home server and notifies the previous home server.
local function moveHome(user, home)
  local previous = setHome(user, home)
  if previous and previous ~= home then notify(previous, { t = 'move', user = user, to = home }) end
end

-- Returns true when this server is the user's home server. A user without a home server gets this server.
local function isHome(user)
  local home = get(userKey(user), 'home')
  if not home and a.self then setHome(user, a.self) end
  return not home or home == a.self
end

-- A list of names as one field of a hash.
local function joined(names) return table.concat(names, '\n') end
local function split(text)
  local names = {}
  for name in string.gmatch(text or '', '[^\n]+') do table.insert(names, name) end
  return names
end

-- Servers of earlier versions write no region, no languages, no interests and no `apart`.
local function entryOf(user)
  local found = call('HMGET', key('place', user), 'since', 'lot', 'state', 'region', 'spills', 'languages', 'interests',
    'anyLanguage', 'anyInterest', 'apart')
  if not found[1] then return nil end
  return {
    user = user, since = tonumber(found[1]), lot = tonumber(found[2]), state = found[3],
    region = found[4] or '', spills = found[5] == '1', languages = split(found[6]), interests = split(found[7]),
    anyLanguage = found[8] ~= '0', anyInterest = found[9] ~= '0', apart = found[10] == '1',
  }
end

-- Returns nil for a user in a list who does not wait: servers of the previous version do not remove users from lists
-- that are new in this version.
local function waitingEntryOf(user)
  local entry = entryOf(user)
  return entry and entry.state == 'waiting' and entry or nil
end

-- Returns the list of entries of a part of the queue that have waited for relaxAfter, and the list of those that have not.
local function listsOf(region, apart)
  if apart then return { key('apart-relaxed', region), key('apart-recent', region) } end
  if region == '' then return { RELAXED, RECENT } end
  return { key('relaxed', region), key('recent', region) }
end

-- Returns the regions, other than `region`, with entries in this part of the queue.
local function regionsExcept(region, apart)
  local found = {}
  local set = apart and APART_REGIONS or REGIONS
  local regions = call('SMEMBERS', set)
  table.insert(regions, '')
  for _, name in ipairs(regions) do
    if name ~= region then
      if call('EXISTS', unpack(listsOf(name, apart))) > 0 then
        table.insert(found, name)
      elseif name ~= '' then
        call('SREM', set, name)
      end
    end
  end
  return found
end

-- Ranks, waiver codes and groups are those of server/matching/rules/meeting-terms.ts.
local INTEREST, SPOKEN, NOTHING = 0, 1, 2

local function waiverCode(rank, entry)
  local wish = (rank == NOTHING and entry.anyLanguage) or (rank == SPOKEN and (entry.anyLanguage or entry.anyInterest))
  return (entry.spills and 1 or 0) + (wish and 2 or 0)
end

local function waitToMeet(rank, isSameRegion, entry, code)
  local region = (isSameRegion or entry.spills or code % 2 == 1) and 0 or a.spillAfter
  local wish = code >= 2
  if rank == INTEREST or entry.anyLanguage then return region end
  if rank == NOTHING then return wish and region or math.max(region, a.anybodyAfter, a.languageAfter) end
  return (wish or entry.anyInterest) and region or math.max(region, a.languageAfter)
end

local function groupsOf(entry, rank)
  if rank == NOTHING then return { '' } end
  if rank == SPOKEN then return entry.languages end
  local groups = {}
  for _, language in ipairs(entry.languages) do
    for _, interest in ipairs(entry.interests) do table.insert(groups, language .. ' ' .. interest) end
  end
  return groups
end

-- Returns the list of the entries of a region and a part of the queue that have these waivers.
local function groupKey(region, group, code, apart)
  return key(apart and 'apart-group' or 'group', region .. '\n' .. code .. '\n' .. group)
end

-- Returns the lists of the groups that an entry is in. The group of all users without waivers has the lists of
-- `listsOf`.
local function groupListsOf(entry)
  local lists = {}
  for rank = INTEREST, NOTHING do
    local code = waiverCode(rank, entry)
    if rank ~= NOTHING or code > 0 then
      for _, group in ipairs(groupsOf(entry, rank)) do table.insert(lists, groupKey(entry.region, group, code, entry.apart)) end
    end
  end
  return lists
end

local function removeFromLists(user)
  local entry = entryOf(user)
  if not entry then return end
  local pending = { RELAXED, RECENT, LOCAL, EARLY, LANGUAGE, ANYBODY, MIXED, ABSENT }
  local apart = entry.apart and listsOf(entry.region, true) or {}
  for _, lists in ipairs({ pending, listsOf(entry.region), apart, groupListsOf(entry) }) do
    for _, list in ipairs(lists) do call('ZREM', list, user) end
  end
end

local function removeEntry(user)
  removeFromLists(user)
  call('DEL', key('place', user), key('blocked', user), key('met', user))
end

local function removeExpired(now)
  for _, user in ipairs(call('ZRANGEBYSCORE', ABSENT, '-inf', exact(now))) do removeEntry(user) end
  call('ZREMRANGEBYSCORE', ABSENT, '-inf', exact(now))
end

local function writeEntry(entry, state)
  call('HSET', key('place', entry.user), 'since', exact(entry.since), 'lot', exact(entry.lot), 'state', state,
    'region', entry.region, 'spills', entry.spills and '1' or '0', 'languages', joined(entry.languages),
    'interests', joined(entry.interests), 'anyLanguage', entry.anyLanguage and '1' or '0',
    'anyInterest', entry.anyInterest and '1' or '0', 'apart', entry.apart and '1' or '0')
end

-- Returns 1 or 0 for each user, or nil where the set is empty.
local function membersOf(set, users)
  if call('EXISTS', set) == 0 then return nil end
  return call('SMISMEMBER', set, unpack(users))
end

local function hasWaited(entry, wait) return a.now - entry.since >= wait end
local function isRelaxed(entry) return hasWaited(entry, a.relaxAfter) end

local function earlier(one, other)
  if not (one and other) then return one or other end
  if one.since == other.since then return one.lot <= other.lot and one or other end
  return one.since < other.since and one or other
end

-- Searches the lists in order for users who have waited for `otherWait`; the user or `entry` must have waited for
-- `wait`. Stops at the first user whom `entry` has not met. Returns that user's entry or nil, and the entry of the
-- first earlier partner found before that user or nil. Leaves a list at the first entry that has not waited long
-- enough: later entries have waited less.
local function searchLists(lists, entry, wait, otherWait)
  local known
  local isReady, relaxed = hasWaited(entry, wait), isRelaxed(entry)
  local least = isReady and otherWait or math.max(wait, otherWait)
  local blocked, met = key('blocked', entry.user), key('met', entry.user)
  for _, list in ipairs(lists) do
    -- Mostly one of the first entries is eligible.
    local from, count, isOver = 0, 4, false
    while not isOver do
      local users = call('ZRANGE', list, from, from + count - 1)
      if #users == 0 then break end
      local areBlocked, areMet = membersOf(blocked, users), membersOf(met, users)
      from, count = from + #users, 64
      for index, user in ipairs(users) do
        local isBlocked = user == entry.user or (areBlocked and areBlocked[index] == 1)
        if not isBlocked and call('SISMEMBER', key('blocked', user), entry.user) == 0 then
          local isMet = (areMet and areMet[index] == 1) or call('SISMEMBER', key('met', user), entry.user) == 1
          local other = not (isMet and known) and waitingEntryOf(user)
          if other and not hasWaited(other, least) then
            isOver = true
            break
          end
          if other and not isMet then return other, known end
          if other then
            if relaxed or isRelaxed(other) then known = other end
          elseif not (isMet and known) then
            call('ZREM', list, user)
            from = from - 1
          end
        end
      end
    end
  end
  return nil, known
end

-- Searches the groups of one region and one part of the queue in which users share as much as `rank` says. Finds users
-- who have waited for `otherWait`.
local function searchRegion(entry, region, rank, apart, otherWait)
  local fresh, known
  for _, group in ipairs(groupsOf(entry, rank)) do
    for code = 0, rank == INTEREST and 1 or 3 do
      local lists = { groupKey(region, group, code, apart) }
      if rank == NOTHING and code == 0 then lists = listsOf(region, apart) end
      local wait = waitToMeet(rank, region == entry.region, entry, code)
      local one, other = searchLists(lists, entry, wait, otherWait)
      fresh, known = earlier(fresh, one), earlier(known, other)
    end
  end
  return fresh, known
end

local function searchPart(entry, apart, otherWait)
  local met
  local others = regionsExcept(entry.region, apart)
  for rank = INTEREST, NOTHING do
    local fresh, known = searchRegion(entry, entry.region, rank, apart, otherWait)
    if fresh then return fresh end
    met = met or known
    known = nil
    for _, region in ipairs(others) do
      local one, other = searchRegion(entry, region, rank, apart, otherWait)
      fresh, known = earlier(fresh, one), earlier(known, other)
    end
    if fresh then return fresh, met end
    met = met or known
  end
  return nil, met
end

-- Returns the best eligible entry of a new partner or nil, and the best of an earlier partner or nil. Order of
-- preference: the own part of the queue, what the two users share, the own region, the longest wait.
local function search(entry)
  local fresh, met = searchPart(entry, entry.apart, 0)
  if fresh or met then return fresh, met end
  if entry.apart then return searchPart(entry, false, a.apartAfter) end
  if hasWaited(entry, a.apartAfter) then return searchPart(entry, true, 0) end
end

-- Returns the server that hosts a match: a server of this region that has a connection of one of the two users,
-- preferably this server.
local function hostOf(one, other)
  local atOne, atOther = get(userKey(one.user), 'at'), get(userKey(other.user), 'at')
  if atOne == a.self or atOther == a.self then return a.self end
  for _, at in ipairs({ atOne, atOther }) do
    if at and isAlive(at) and not isGuest(at) then return at end
  end
  return a.self
end

-- Makes the host the home server of both users and notifies their previous home servers.
local function makePair(one, other)
  local host = hostOf(one, other)
  local caller, callee = one, other
  if math.random() >= 0.5 then caller, callee = other, one end
  caller.state, callee.state = nil, nil
  local pair = { caller = caller, callee = callee }
  for _, entry in ipairs({ caller, callee }) do
    writeEntry(entry, 'opening')
    call('HSET', key('place', entry.user), 'pair', caller.user)
    moveHome(entry.user, host)
  end
  call('HSET', key('opening', host), caller.user, cjson.encode(pair))
  if host == a.self then
    reply.pairs = reply.pairs or {}
    table.insert(reply.pairs, pair)
  else
    notify(host, { t = 'open' })
  end
end

-- Pairs the entry, or adds it to the lists.
local function enter(entry)
  local fresh, met = search(entry)
  local partner = fresh or met
  if partner then
    removeFromLists(partner.user)
    makePair(entry, partner)
    return
  end
  writeEntry(entry, 'waiting')
  local score = exact(entry.since + entry.lot)
  call('ZADD', listsOf(entry.region, entry.apart)[isRelaxed(entry) and 1 or 2], score, entry.user)
  if entry.region ~= '' then call('SADD', entry.apart and APART_REGIONS or REGIONS, entry.region) end
  for _, list in ipairs(groupListsOf(entry)) do call('ZADD', list, score, entry.user) end
  local function addPending(list, applies, wait)
    if applies and not hasWaited(entry, wait) then call('ZADD', list, score, entry.user) end
  end
  addPending(LANGUAGE, not entry.anyLanguage and not entry.anyInterest, a.languageAfter)
  addPending(ANYBODY, not entry.anyLanguage, math.max(a.anybodyAfter, a.languageAfter))
  addPending(LOCAL, not entry.spills, a.spillAfter)
  addPending(MIXED, not entry.apart, a.apartAfter)
  if entry.spills then call('ZADD', EARLY, score, entry.user) end
end

-- Returns the user who has waited longest in the list, and since when.
local function firstOf(list)
  while true do
    local user = call('ZRANGE', list, 0, 0)[1]
    if not user then return nil end
    local found = call('HMGET', key('place', user), 'since', 'state')
    if found[2] == 'waiting' then return user, tonumber(found[1]) end
    call('ZREM', list, user)
  end
end

-- Moves the first entries of the list that have waited for `wait` to `due`.
local function takeDue(list, wait, due)
  local user, since = firstOf(list)
  while user and a.now - since >= wait do
    call('ZREM', list, user)
    table.insert(due, entryOf(user))
    user, since = firstOf(list)
  end
  return due
end

-- Pairs the entries that became eligible by waiting: first all of them with new partners, then with earlier partners.
local function pairDue()
  local wider = takeDue(LANGUAGE, a.languageAfter, {})
  takeDue(LOCAL, a.spillAfter, wider)
  takeDue(ANYBODY, math.max(a.anybodyAfter, a.languageAfter), wider)
  takeDue(MIXED, a.apartAfter, wider)
  local relaxed = {}
  for _, apart in ipairs({ false, true }) do
    for _, region in ipairs(regionsExcept(nil, apart)) do
      local lists = listsOf(region, apart)
      for _, entry in ipairs(takeDue(lists[2], a.relaxAfter, {})) do
        call('ZADD', lists[1], exact(entry.since + entry.lot), entry.user)
        table.insert(relaxed, entry)
      end
    end
  end
  table.sort(relaxed, function(one, other) return one ~= other and earlier(one, other) == one end)
  local function match(user, isNewOnly)
    local entry = waitingEntryOf(user)
    if not entry then return end
    local fresh, met = search(entry)
    local partner = fresh or (not isNewOnly and met)
    if not partner then return end
    removeFromLists(entry.user)
    removeFromLists(partner.user)
    makePair(entry, partner)
  end
  for _, entry in ipairs(wider) do match(entry.user, true) end
  for _, due in ipairs({ wider, relaxed }) do
    for _, entry in ipairs(due) do match(entry.user, false) end
  end
end

local function tick()
  removeExpired(a.now)
  pairDue()
end

-- Stores that the user joins with these names. Returns true when no other user has joined with one of them for `within`.
local function isAlone(kind, names, user, within, keep)
  local alone = true
  for _, name in ipairs(names) do
    local latest = key(kind, name)
    local at, before, who = string.match(call('GET', latest) or '', '^(%S+) (%S+) (.+)$')
    local previous = tonumber(who == user and before or at)
    local text = exact(a.now) .. ' ' .. (previous and exact(previous) or '-') .. ' ' .. user
    call('SET', latest, text, 'PX', keep)
    alone = alone and (not previous or a.now - previous >= within)
  end
  return alone
end

-- Returns the number of joins within the last anybodyAfter, then adds this join. Joins of the current window count in
-- full, joins of the window before in proportion.
local function addJoin()
  local window = math.floor(a.now / a.anybodyAfter)
  local count = call('INCR', key('joins', exact(window))) - 1
  if count == 0 then call('PEXPIRE', key('joins', exact(window)), 2 * a.anybodyAfter + KEEP_JOINS_MS) end
  local before = tonumber(call('GET', key('joins', exact(window - 1))) or '0')
  return count + before * (1 - (a.now % a.anybodyAfter) / a.anybodyAfter)
end

-- Returns the entry of a user who joins, with its waivers.
local function newEntry(earlierEntry)
  local entry = {
    user = a.user, region = a.region, languages = a.languages or {}, interests = a.interests or {}, apart = a.apart == true,
    since = earlierEntry and earlierEntry.since or a.now, lot = earlierEntry and earlierEntry.lot or a.lot,
  }
  local isCrowd = addJoin() >= (a.languageCrowd or 0)
  local isLanguageAlone = isAlone('spoken', entry.languages, a.user, a.anybodyAfter, a.anybodyAfter + KEEP_JOINS_MS)
  local isThin = isAlone('latest', { a.region }, a.user, a.spillAfter, KEEP_JOINED_MS)
  -- A user whose connection is at a server of another region has waited in the pool of that region.
  entry.spills = isThin or isGuest(get(userKey(a.user), 'at') or '')
  entry.anyLanguage = isLanguageAlone or not isCrowd
  entry.anyInterest = isAlone('liked', groupsOf(entry, INTEREST), a.user, a.languageAfter, a.languageAfter + KEEP_JOINS_MS)
  return entry
end

-- Returns the entry that a server gives back. Servers of the previous version write no languages and interests.
local function entryOfArguments()
  return {
    user = a.user, region = a.region, spills = a.spills, since = a.since, lot = a.lot, languages = a.languages or {},
    interests = a.interests or {}, anyLanguage = a.anyLanguage ~= false, anyInterest = a.anyInterest ~= false,
    apart = a.apart == true,
  }
end

local function unpair(user)
  local caller = get(key('place', user), 'pair')
  if caller and a.self then call('HDEL', key('opening', a.self), caller) end
  call('HDEL', key('place', user), 'pair')
end

local function addExclusions(kind, user, others)
  for from = 1, #others, 1000 do call('SADD', key(kind, user), unpack(others, from, math.min(from + 999, #others))) end
end

-- Keeps the entry of an absent user for `keep`: the user may come back.
local function markAbsent(entry)
  removeFromLists(entry.user)
  writeEntry(entry, 'absent')
  call('ZADD', ABSENT, exact(a.now + a.keep), entry.user)
end

local function persistExclusions(user)
  call('PERSIST', key('blocked', user))
  call('PERSIST', key('met', user))
end

