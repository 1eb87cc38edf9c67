-- The beginning of every step of pool.lua: keys, homes, and the lines of those who wait.
local P = KEYS[1]
local a = cjson.decode(ARGV[2])
local call = redis.call

local function key(kind, id) return P .. ':' .. kind .. ':' .. id end
local RELAXED, RECENT, ABSENT, SERVERS, DEAD = P .. ':relaxed', P .. ':recent', P .. ':absent', P .. ':servers', P .. ':dead'
-- Who does not spill yet, who has from the beginning, and the regions in which anybody may wait, but the nameless one.
local LOCAL, EARLY, REGIONS = P .. ':local', P .. ':early', P .. ':regions'
local function exact(number) return string.format('%.17g', number) end
local function userOf(id) return key('user', id) end
local function get(hash, field) local found = call('HGET', hash, field) return found or nil end
-- Long after any match has been opened or given up, the exclusions of those in it are of no use.
local KEEP_EXCLUSIONS_MS = 120000
-- A server that is gone is remembered for a day, so that it cannot go on if it was only slow.
local REMEMBER_DEAD_MS = 86400000
-- Longer than any time after which somebody spills.
local REMEMBER_JOINED_MS = 86400000
local answer = {}

local function microseconds()
  local time = call('TIME')
  return time[1] * 1000000 + time[2]
end
local function milliseconds() return math.floor(microseconds() / 1000) end
-- Which line of writes this is: of one Redis since its start. Not everybody may ask.
local function history()
  local info = redis.pcall('INFO', 'replication')
  return type(info) == 'string' and string.match(info, 'master_replid:(%x+)') or ''
end
local function isAlive(server)
  local untilTime = call('ZSCORE', SERVERS, server)
  return untilTime and tonumber(untilTime) > milliseconds()
end

local function notify(server, notice) call('XADD', key('to', server), '*', 'n', cjson.encode(notice)) end

local function settleAt(user, home)
  local earlier = get(userOf(user), 'home')
  if earlier == home then return earlier end
  if earlier then call('SREM', key('homes', earlier), user) end
  call('HSET', userOf(user), 'home', home)
  call('SADD', key('homes', home), user)
  return earlier
end

-- Whether this server may move the user; whoever has no home is at home where they are first spoken of.
local function isMine(user)
  local home = get(userOf(user), 'home')
  if not home and a.self then settleAt(user, a.self) end
  return not home or home == a.self
end

-- A server of the version before knows the nameless region alone, and writes no region.
local function placeOf(user)
  local found = call('HMGET', key('place', user), 'since', 'lot', 'state', 'region', 'spills')
  if not found[1] then return nil end
  return {
    user = user, since = tonumber(found[1]), lot = tonumber(found[2]), state = found[3],
    region = found[4] or '', spills = found[5] == '1',
  }
end

-- Such a server leaves behind who it takes out of a line that it does not know.
local function waiterOf(user)
  local place = placeOf(user)
  return place and place.state == 'waiting' and place or nil
end

-- Of those who have waited for relaxAfter, and of those who have not.
local function linesOf(region)
  if region == '' then return { RELAXED, RECENT } end
  return { key('relaxed', region), key('recent', region) }
end

-- The lines of the regions in which anybody waits, but this one.
local function linesBut(region)
  local found = {}
  local regions = call('SMEMBERS', REGIONS)
  table.insert(regions, '')
  for _, name in ipairs(regions) do
    if name ~= region then
      local lines = linesOf(name)
      if call('EXISTS', unpack(lines)) > 0 then
        table.insert(found, lines)
      elseif name ~= '' then
        call('SREM', REGIONS, name)
      end
    end
  end
  return found
end

local function takeOut(user)
  local found = call('HMGET', key('place', user), 'since', 'region')
  if not found[1] then return end
  local region = found[2] or ''
  for _, line in ipairs({ RELAXED, RECENT, LOCAL, EARLY, ABSENT }) do call('ZREM', line, user) end
  if region ~= '' then
    for _, line in ipairs(linesOf(region)) do call('ZREM', line, user) end
  end
end

local function remove(user)
  takeOut(user)
  call('DEL', key('place', user), key('blocked', user), key('met', user))
end

local function expire(now)
  for _, user in ipairs(call('ZRANGEBYSCORE', ABSENT, '-inf', exact(now))) do remove(user) end
  call('ZREMRANGEBYSCORE', ABSENT, '-inf', exact(now))
end

local function put(place, state)
  call('HSET', key('place', place.user), 'since', exact(place.since), 'lot', exact(place.lot), 'state', state,
    'region', place.region, 'spills', place.spills and '1' or '0')
end

local function contains(set, names)
  if call('EXISTS', set) == 0 then return nil end
  return call('SMISMEMBER', set, unpack(names))
end

local function isRelaxed(place) return a.now - place.since >= a.relaxAfter end
local function spills(place) return place.spills or a.now - place.since >= a.spillAfter end

local function earlier(one, other)
  if not (one and other) then return one or other end
  if one.since == other.since then return one.lot <= other.lot and one or other end
  return one.since < other.since and one or other
end

-- The first who is new, and the first before that who is not. Who comes after the first is in reach only if that one is.
local function lookIn(lines, place)
  local known
  local blocked, met = key('blocked', place.user), key('met', place.user)
  for _, line in ipairs(lines) do
    -- Mostly the first will do.
    local from, count = 0, 4
    while true do
      local names = call('ZRANGE', line, from, from + count - 1)
      if #names == 0 then break end
      local areBlocked, areMet = contains(blocked, names), contains(met, names)
      from, count = from + #names, 64
      for index, name in ipairs(names) do
        local isBlocked = name == place.user or (areBlocked and areBlocked[index] == 1)
        if not isBlocked and call('SISMEMBER', key('blocked', name), place.user) == 0 then
          local isMet = (areMet and areMet[index] == 1) or call('SISMEMBER', key('met', name), place.user) == 1
          local other = not (isMet and known) and waiterOf(name)
          if other and not isMet then return other, known end
          if other then
            known = other
          elseif not (isMet and known) then
            call('ZREM', line, name)
            from = from - 1
          end
        end
      end
    end
  end
  return nil, known
end

-- The best of the eligible, new and met: of the place's own region first, then who has waited longest.
local function search(place)
  local fresh, known = lookIn(linesOf(place.region), place)
  if fresh then return fresh, known end
  local isFree, relaxed = spills(place), isRelaxed(place)
  local function again(other) return other and (relaxed or isRelaxed(other)) and other or nil end
  local met
  local others = linesBut(place.region)
  if #others > 0 and not isFree then table.insert(others, { EARLY }) end
  for _, lines in ipairs(others) do
    local one, other = lookIn(lines, place)
    if one and (isFree or spills(one)) then fresh = earlier(fresh, one) end
    if other and (isFree or spills(other)) then met = earlier(met, again(other)) end
  end
  return fresh, again(known) or met
end

-- The host of a match is a server at which one of the two is connected, the one that asks where that is possible.
local function hostOf(one, other)
  local atOne, atOther = get(userOf(one.user), 'at'), get(userOf(other.user), 'at')
  if atOne == a.self or atOther == a.self then return a.self end
  for _, at in ipairs({ atOne, atOther }) do
    if at and isAlive(at) then return at end
  end
  return a.self
end

-- Both are at home at the host from now on, and their earlier homes are told.
local function pair(one, other)
  local host = hostOf(one, other)
  local isCaller = math.random() < 0.5
  local caller, callee = one, other
  if not isCaller then caller, callee = other, one end
  local function told(place)
    return { user = place.user, region = place.region, spills = place.spills, since = place.since, lot = place.lot }
  end
  local made = { caller = told(caller), callee = told(callee) }
  for _, place in ipairs({ caller, callee }) do
    put(place, 'opening')
    call('HSET', key('place', place.user), 'pair', caller.user)
    local home = settleAt(place.user, host)
    if home and home ~= host then notify(home, { t = 'move', user = place.user, to = host }) end
  end
  call('HSET', key('opening', host), caller.user, cjson.encode(made))
  if host == a.self then
    answer.pairs = answer.pairs or {}
    table.insert(answer.pairs, made)
  else
    notify(host, { t = 'open' })
  end
end

local function enter(place)
  local fresh, met = search(place)
  local partner = fresh or met
  if partner then
    takeOut(partner.user)
    pair(place, partner)
    return
  end
  put(place, 'waiting')
  local score = exact(place.since + place.lot)
  call('ZADD', linesOf(place.region)[isRelaxed(place) and 1 or 2], score, place.user)
  if place.region ~= '' then call('SADD', REGIONS, place.region) end
  if place.spills then
    call('ZADD', EARLY, score, place.user)
  elseif not spills(place) then
    call('ZADD', LOCAL, score, place.user)
  end
end

local function firstOf(line)
  while true do
    local name = call('ZRANGE', line, 0, 0)[1]
    if not name then return nil end
    local place = waiterOf(name)
    if place then return place end
    call('ZREM', line, name)
  end
end

local function takeDue(line, isDue, due)
  local place = firstOf(line)
  while place and isDue(place) do
    call('ZREM', line, place.user)
    table.insert(due, place)
    place = firstOf(line)
  end
  return due
end

-- Those whom time has made eligible first meet somebody new, all of them, and only then whom they have met.
local function advance()
  local spilled = takeDue(LOCAL, spills, {})
  local relaxed = {}
  for _, lines in ipairs(linesBut(nil)) do
    for _, place in ipairs(takeDue(lines[2], isRelaxed, {})) do
      call('ZADD', lines[1], exact(place.since + place.lot), place.user)
      table.insert(relaxed, place)
    end
  end
  table.sort(relaxed, function(one, other) return one ~= other and earlier(one, other) == one end)
  local function match(user, isNewOnly)
    local place = waiterOf(user)
    if not place then return end
    local fresh, met = search(place)
    local partner = fresh or (not isNewOnly and met)
    if not partner then return end
    takeOut(place.user)
    takeOut(partner.user)
    pair(place, partner)
  end
  for _, place in ipairs(spilled) do match(place.user, true) end
  for _, due in ipairs({ spilled, relaxed }) do
    for _, place in ipairs(due) do match(place.user, false) end
  end
end

local function tick()
  expire(a.now)
  advance()
end

-- Notes that the user joins the region; true where nobody else has done so for the time of a spill.
local function isFirstIn(region, user)
  local latest = key('latest', region)
  local at, earlier, who = string.match(call('GET', latest) or '', '^(%S+) (%S+) (.+)$')
  local before = tonumber(who == user and earlier or at)
  call('SET', latest, exact(a.now) .. ' ' .. (before and exact(before) or '-') .. ' ' .. user, 'PX', REMEMBER_JOINED_MS)
  return not before or a.now - before >= a.spillAfter
end

local function unpair(user)
  local opened = get(key('place', user), 'pair')
  if opened and a.self then call('HDEL', key('opening', a.self), opened) end
  call('HDEL', key('place', user), 'pair')
end

local function exclude(kind, user, names)
  for from = 1, #names, 1000 do call('SADD', key(kind, user), unpack(names, from, math.min(from + 999, #names))) end
end

local function hold(place)
  takeOut(place.user)
  put(place, 'absent')
  call('ZADD', ABSENT, exact(a.now + a.keep), place.user)
end

local function persist(user)
  call('PERSIST', key('blocked', user))
  call('PERSIST', key('met', user))
end

