-- The first part of every step of pool.lua: keys, home servers and the queue. Names of keys, fields and notices stay as they
-- are: servers of two versions run side by side during an upgrade.
local P = KEYS[1]
local a = cjson.decode(ARGV[2])
local call = redis.call

local function key(kind, id) return P .. ':' .. kind .. ':' .. id end
local RELAXED, RECENT, ABSENT, SERVERS, DEAD = P .. ':relaxed', P .. ':recent', P .. ':absent', P .. ':servers', P .. ':dead'
-- LOCAL: entries that do not spill yet. EARLY: entries that have spilled from the beginning. REGIONS: the regions that may
-- have entries, without the nameless one.
local LOCAL, EARLY, REGIONS = P .. ':local', P .. ':early', P .. ':regions'
local function exact(number) return string.format('%.17g', number) end
local function userKey(id) return key('user', id) end
local function get(hash, field) local found = call('HGET', hash, field) return found or nil end
-- Exclusions of matched users are kept this long: longer than it takes to open or discard a match.
local KEEP_EXCLUSIONS_MS = 120000
-- Dead servers are stored for a day, so that one that was only slow cannot go on.
local KEEP_DEAD_MS = 86400000
-- Longer than any spill time.
local KEEP_JOINED_MS = 86400000
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

-- Sets the home server and notifies the previous one.
local function moveHome(user, home)
  local previous = setHome(user, home)
  if previous and previous ~= home then notify(previous, { t = 'move', user = user, to = home }) end
end

-- Returns true when this server is the user's home server. A user without one gets this server.
local function isHome(user)
  local home = get(userKey(user), 'home')
  if not home and a.self then setHome(user, a.self) end
  return not home or home == a.self
end

-- Servers of the previous version know the nameless region only, and write no region.
local function entryOf(user)
  local found = call('HMGET', key('place', user), 'since', 'lot', 'state', 'region', 'spills')
  if not found[1] then return nil end
  return {
    user = user, since = tonumber(found[1]), lot = tonumber(found[2]), state = found[3],
    region = found[4] or '', spills = found[5] == '1',
  }
end

-- Returns nil for a user in a list who does not wait: servers of the previous version do not remove users from the lists that
-- they do not know.
local function waitingEntryOf(user)
  local entry = entryOf(user)
  return entry and entry.state == 'waiting' and entry or nil
end

-- Returns the list of entries that have waited for relaxAfter, and the list of those that have not.
local function listsOf(region)
  if region == '' then return { RELAXED, RECENT } end
  return { key('relaxed', region), key('recent', region) }
end

-- Returns the lists of all regions with entries except this one.
local function listsExcept(region)
  local found = {}
  local regions = call('SMEMBERS', REGIONS)
  table.insert(regions, '')
  for _, name in ipairs(regions) do
    if name ~= region then
      local lists = listsOf(name)
      if call('EXISTS', unpack(lists)) > 0 then
        table.insert(found, lists)
      elseif name ~= '' then
        call('SREM', REGIONS, name)
      end
    end
  end
  return found
end

local function removeFromLists(user)
  local found = call('HMGET', key('place', user), 'since', 'region')
  if not found[1] then return end
  local region = found[2] or ''
  for _, list in ipairs({ RELAXED, RECENT, LOCAL, EARLY, ABSENT }) do call('ZREM', list, user) end
  if region ~= '' then
    for _, list in ipairs(listsOf(region)) do call('ZREM', list, user) end
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
    'region', entry.region, 'spills', entry.spills and '1' or '0')
end

-- Returns 1 or 0 for each user, or nil where the set is empty.
local function membersOf(set, users)
  if call('EXISTS', set) == 0 then return nil end
  return call('SMISMEMBER', set, unpack(users))
end

local function isRelaxed(entry) return a.now - entry.since >= a.relaxAfter end
local function spills(entry) return entry.spills or a.now - entry.since >= a.spillAfter end

local function earlier(one, other)
  if not (one and other) then return one or other end
  if one.since == other.since then return one.lot <= other.lot and one or other end
  return one.since < other.since and one or other
end

-- Searches the lists in order and stops at the first user whom `entry` has not met. Returns that user's entry or nil, and the entry
-- of the first earlier partner before it or nil. A list ends at its first entry that is out of reach: all later ones are, too.
local function searchLists(lists, entry)
  local known
  local blocked, met = key('blocked', entry.user), key('met', entry.user)
  for _, list in ipairs(lists) do
    -- Mostly one of the first entries is eligible.
    local from, count = 0, 4
    while true do
      local users = call('ZRANGE', list, from, from + count - 1)
      if #users == 0 then break end
      local areBlocked, areMet = membersOf(blocked, users), membersOf(met, users)
      from, count = from + #users, 64
      for index, user in ipairs(users) do
        local isBlocked = user == entry.user or (areBlocked and areBlocked[index] == 1)
        if not isBlocked and call('SISMEMBER', key('blocked', user), entry.user) == 0 then
          local isMet = (areMet and areMet[index] == 1) or call('SISMEMBER', key('met', user), entry.user) == 1
          local other = not (isMet and known) and waitingEntryOf(user)
          if other and not isMet then return other, known end
          if other then
            known = other
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

-- Returns the best eligible entry of a user who is new, and of one who was met: the entry's own region first, then the longest
-- wait.
local function search(entry)
  local fresh, known = searchLists(listsOf(entry.region), entry)
  if fresh then return fresh, known end
  local isFree, relaxed = spills(entry), isRelaxed(entry)
  local function again(other) return other and (relaxed or isRelaxed(other)) and other or nil end
  local met
  local others = listsExcept(entry.region)
  if #others > 0 and not isFree then table.insert(others, { EARLY }) end
  for _, lists in ipairs(others) do
    local one, other = searchLists(lists, entry)
    if one and (isFree or spills(one)) then fresh = earlier(fresh, one) end
    if other and (isFree or spills(other)) then met = earlier(met, again(other)) end
  end
  return fresh, again(known) or met
end

-- Returns the server that hosts a match: one that has a connection of the two, this server if possible.
local function hostOf(one, other)
  local atOne, atOther = get(userKey(one.user), 'at'), get(userKey(other.user), 'at')
  if atOne == a.self or atOther == a.self then return a.self end
  for _, at in ipairs({ atOne, atOther }) do
    if at and isAlive(at) then return at end
  end
  return a.self
end

-- Makes the host the home server of both and notifies their previous home servers.
local function makePair(one, other)
  local host = hostOf(one, other)
  local isCaller = math.random() < 0.5
  local caller, callee = one, other
  if not isCaller then caller, callee = other, one end
  local function stored(entry)
    return { user = entry.user, region = entry.region, spills = entry.spills, since = entry.since, lot = entry.lot }
  end
  local pair = { caller = stored(caller), callee = stored(callee) }
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
  call('ZADD', listsOf(entry.region)[isRelaxed(entry) and 1 or 2], score, entry.user)
  if entry.region ~= '' then call('SADD', REGIONS, entry.region) end
  if entry.spills then
    call('ZADD', EARLY, score, entry.user)
  elseif not spills(entry) then
    call('ZADD', LOCAL, score, entry.user)
  end
end

local function firstOf(list)
  while true do
    local user = call('ZRANGE', list, 0, 0)[1]
    if not user then return nil end
    local entry = waitingEntryOf(user)
    if entry then return entry end
    call('ZREM', list, user)
  end
end

-- Moves the first entries of the list to `due`, as long as they are due.
local function takeDue(list, isDue, due)
  local entry = firstOf(list)
  while entry and isDue(entry) do
    call('ZREM', list, entry.user)
    table.insert(due, entry)
    entry = firstOf(list)
  end
  return due
end

-- Pairs the entries that time has made eligible: first all of them with users who are new, then with users who were met.
local function pairDue()
  local spilled = takeDue(LOCAL, spills, {})
  local relaxed = {}
  for _, lists in ipairs(listsExcept(nil)) do
    for _, entry in ipairs(takeDue(lists[2], isRelaxed, {})) do
      call('ZADD', lists[1], exact(entry.since + entry.lot), entry.user)
      table.insert(relaxed, entry)
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
  for _, entry in ipairs(spilled) do match(entry.user, true) end
  for _, due in ipairs({ spilled, relaxed }) do
    for _, entry in ipairs(due) do match(entry.user, false) end
  end
end

local function tick()
  removeExpired(a.now)
  pairDue()
end

-- Stores that the user joins the region. Returns true when no other user has done so for spillAfter.
local function isFirstIn(region, user)
  local latest = key('latest', region)
  local at, before, who = string.match(call('GET', latest) or '', '^(%S+) (%S+) (.+)$')
  local previous = tonumber(who == user and before or at)
  call('SET', latest, exact(a.now) .. ' ' .. (previous and exact(previous) or '-') .. ' ' .. user, 'PX', KEEP_JOINED_MS)
  return not previous or a.now - previous >= a.spillAfter
end

local function unpair(user)
  local caller = get(key('place', user), 'pair')
  if caller and a.self then call('HDEL', key('opening', a.self), caller) end
  call('HDEL', key('place', user), 'pair')
end

local function addExclusions(kind, user, others)
  for from = 1, #others, 1000 do call('SADD', key(kind, user), unpack(others, from, math.min(from + 999, #others))) end
end

-- Keeps the entry for `keep`: its user may come back.
local function markAbsent(entry)
  removeFromLists(entry.user)
  writeEntry(entry, 'absent')
  call('ZADD', ABSENT, exact(a.now + a.keep), entry.user)
end

local function persistExclusions(user)
  call('PERSIST', key('blocked', user))
  call('PERSIST', key('met', user))
end

