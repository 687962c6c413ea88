-- :checkhealth ctxpack
local M = {}

-- Neovim 0.10 has other names than 0.7.
local health = vim.health or require("health")
local start, ok = health.start or health.report_start, health.ok or health.report_ok
local warn, bad = health.warn or health.report_warn, health.error or health.report_error

local function version(command)
  local said = vim.fn.system(vim.list_extend(vim.deepcopy(command), { "--version" }))
  return vim.v.shell_error == 0 and vim.trim(said) or nil
end

function M.check()
  local cli, config = require("ctxpack.cli"), require("ctxpack.config")
  start("ctxpack")
  if vim.fn.has("nvim-0.7") == 1 then
    ok("Neovim 0.7 or newer")
  else
    bad("Neovim is older than 0.7", { "install a newer version" })
  end
  local command = cli.command()
  local said = command and version(command)
  if said then
    ok(said .. " (" .. table.concat(command, " ") .. ")")
  elseif command then
    bad("the command does not run: " .. table.concat(command, " "), { "run it in a terminal to see why" })
  else
    bad("ctxpack was not found", { config.options.command and "see :help ctxpack-setup" or cli.MISSING })
  end
  if vim.fn.executable("git") == 1 then
    ok("git")
  else
    warn("no git: :CtxPackDiff needs it", { "install git" })
  end
  if vim.fn.has("clipboard") == 1 then
    ok("clipboard")
  else
    warn("no clipboard: :CtxPackCopy only fills the unnamed register", { ":help clipboard" })
  end
  if pcall(require, "telescope") then
    ok("Telescope: :CtxPackPick and :Telescope ctxpack use it")
  else
    ok("no Telescope: :CtxPackPick uses vim.ui.select")
  end
end

return M
