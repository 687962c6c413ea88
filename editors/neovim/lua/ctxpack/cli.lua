-- Finds the binary, runs it without blocking, and reads the envelope that it prints.
local config = require("ctxpack.config")

local M = {}

local TICK_MS = 500 -- between two signs of life
local running -- the question that is asked: { job, timer, cancelled }

M.MISSING = "ctxpack was not found: install it (pipx install ctxpack-code, or uv tool install ctxpack-code), "
  .. 'or set its path: require("ctxpack").setup({ command = { "/path/to/ctxpack" } })'

-- The repository of a file: the nearest folder upwards that is marked as one, else the file's own folder.
function M.root(file)
  local folder = file ~= "" and vim.fn.fnamemodify(file, ":p:h") or vim.fn.getcwd()
  local at = folder
  while true do
    for _, mark in ipairs({ ".git", "ctxpack.toml" }) do
      if vim.loop.fs_lstat(at .. "/" .. mark) then
        return at
      end
    end
    local above = vim.fn.fnamemodify(at, ":h")
    if above == at then
      return folder
    end
    at = above
  end
end

-- The command as a list, or nil where there is none. Of a repository's own environments none is run unasked: whoever
-- opens a stranger's repository has not chosen what is in it.
function M.command()
  local chosen = config.options.command
  if chosen then
    local list = type(chosen) == "table" and chosen or { chosen }
    return vim.fn.executable(list[1]) == 1 and list or nil
  end
  for _, name in ipairs({ "ctxpack", vim.fn.expand("~/.local/bin/ctxpack") }) do
    if vim.fn.executable(name) == 1 then
      return { name }
    end
  end
end

local function tell(text, level)
  vim.notify("ctxpack: " .. text, level)
end

-- What went wrong, for a person: the envelope's own message and what to do, else what the program said last.
local function complaint(envelope, err, code)
  if envelope and type(envelope.error) == "table" then
    local hint = envelope.error.hint
    return envelope.error.message .. (hint and hint ~= "" and " (" .. hint .. ")" or "")
  end
  local said
  for _, line in ipairs(err) do
    said = line ~= "" and line or said
  end
  return said or ("it ended with exit code " .. code .. " and no answer")
end

local function stop(question)
  question.timer:stop()
  question.timer:close()
  if running == question then
    running = nil
    vim.g.ctxpack_status = nil
  end
end

-- Stop what is running. Returns whether something was.
function M.cancel()
  local question = running
  if not question then
    return false
  end
  question.cancelled = true
  vim.fn.jobstop(question.job)
  stop(question)
  return true
end

local function sign_of_life(question, started)
  question.timer:start(TICK_MS, TICK_MS, vim.schedule_wrap(function()
    if running == question then
      local seconds = math.floor((vim.loop.now() - started) / 1000)
      vim.g.ctxpack_status = string.format("ctxpack: working, %d s (:CtxPackCancel stops it)", seconds)
      vim.api.nvim_echo({ { vim.g.ctxpack_status } }, false, {})
    end
  end))
end

-- Ask, with `text` on stdin. `done(data, hints)` gets the answer, `failed(error)` the envelope's error if there is one.
-- A question that is still running is stopped: its answer is not wanted any more.
function M.ask(arguments, text, done, failed)
  local command = M.command()
  if not command then
    local chosen = config.options.command
    tell(chosen and "the configured command cannot be run: " .. vim.inspect(chosen) or M.MISSING, vim.log.levels.ERROR)
    return
  end
  M.cancel()
  local out, err = {}, {}
  local question = { timer = vim.loop.new_timer() }
  local line = vim.list_extend(vim.deepcopy(command), arguments)
  local started_ok, job = pcall(vim.fn.jobstart, vim.list_extend(line, config.options.extra_args), {
    stdout_buffered = true,
    stderr_buffered = true,
    on_stdout = function(_, lines)
      out = lines
    end,
    on_stderr = function(_, lines)
      err = lines
    end,
    on_exit = vim.schedule_wrap(function(_, code)
      if question.cancelled then
        return
      end
      stop(question)
      local parsed, envelope = pcall(vim.json.decode, table.concat(out, "\n"), { luanil = { object = true } })
      envelope = parsed and type(envelope) == "table" and envelope or nil
      if envelope and envelope.status == "ok" and type(envelope.data) == "table" then
        done(envelope.data, envelope.hints or {})
      else
        tell(complaint(envelope, err, code), vim.log.levels.ERROR)
        if failed and envelope and type(envelope.error) == "table" then
          failed(envelope.error)
        end
      end
    end),
  })
  if not started_ok or job <= 0 then
    question.timer:close()
    tell("the command could not be started: " .. table.concat(command, " "), vim.log.levels.ERROR)
    return
  end
  question.job = job
  running = question
  sign_of_life(question, vim.loop.now())
  if text then
    vim.fn.chansend(job, text)
  end
  vim.fn.chanclose(job, "stdin")
end

return M
