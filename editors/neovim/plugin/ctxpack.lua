-- The commands. Nothing is loaded before one of them is used.
if vim.g.loaded_ctxpack then
  return
end
vim.g.loaded_ctxpack = true

local function command(name, options, run)
  vim.api.nvim_create_user_command(name, run, options)
end

command("CtxPack", { nargs = "*", range = true, desc = "Pack the code for a query or the selection" }, function(args)
  require("ctxpack").query(args.args, args.range > 0)
end)
command("CtxPackRelated", { nargs = "?", desc = "Show what calls this place, what it calls, its tests" }, function(args)
  require("ctxpack").related(args.args)
end)
command("CtxPackPlaces", { nargs = "*", range = true, desc = "List the places that answer a query in the quickfix list" }, function(args)
  require("ctxpack").places(args.args, args.range > 0)
end)
command("CtxPackPick", { nargs = "*", desc = "Choose one of the places that answer a query" }, function(args)
  require("ctxpack").pick(args.args)
end)
command("CtxPackDiff", { nargs = "?", desc = "Pack the changes since a revision for review" }, function(args)
  require("ctxpack").diff(args.args)
end)
command("CtxPackCopy", { desc = "Copy the last pack as Markdown" }, function()
  require("ctxpack").copy()
end)
command("CtxPackCancel", { desc = "Stop the running question" }, function()
  require("ctxpack").cancel()
end)
